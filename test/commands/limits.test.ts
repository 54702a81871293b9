import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { asText } from '../helpers/messages.ts'

let machine: Machine

const orderNote = `the scans are sorted newest first (earlier versions: oldest first); for oldest first, use --order asc\n`

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan('users create 4711')
})

const json = async (line: string) => {
  const { stdout, stderr, exitCode } = await machine.facescan(`${line} --json`)
  expect(exitCode, stderr).toBe(0)
  return { items: JSON.parse(stdout), stderr: asText(stderr) }
}

test('"biomarkers list --all" reads each scan once, even if the service limits the number of scans per response', async () => {
  await machine.facescan('sandbox scan 4711 --count 2500 --days 1 --seed 1')
  for (const order of ['asc', 'desc']) {
    const { items, stderr } = await json(`biomarkers list 4711 --all --order ${order}`)
    const times = items.map(({ timestamp }: { timestamp: string }) => timestamp)
    expect(new Set(items.map(({ face_scan_id }: { face_scan_id: string }) => face_scan_id)).size).toBe(2500)
    expect(times).toEqual(order === 'asc' ? times.toSorted() : times.toSorted().toReversed())
    expect(stderr).toBe('')
  }
  const { items, stderr } = await json('biomarkers list 4711 --limit 1500')
  expect(items).toHaveLength(1500)
  expect(stderr).toBe(orderNote)
})

test('"biomarkers list" prints a note about more scans only if its default limit hides scans', async () => {
  await machine.facescan('sandbox scan 4711 --count 10 --days 10')
  const list = 'biomarkers list 4711 --order desc'
  expect((await json(list)).stderr).toBe('')
  await machine.facescan('sandbox scan 4711')
  expect((await json(list)).stderr).toBe('there are more scans than the newest 10; use --all to show all\n')
  expect((await json(`${list} --order asc`)).stderr).toContain('than the oldest 10')
  for (const flags of ['--limit 10', '--limit 3', '--all'])
    expect((await json(`${list} ${flags}`)).stderr).toBe('')
})

test('"answers list" shows the newest answers first in tables and in JSON', async () => {
  const answers = Array.from({ length: 60 }, (_, value) => ({ lookup_key: 'weight', value, timezone: 'UTC' }))
  const post = 'api POST /v2/questions/answer/many?external_user_id=4711 --body -'
  await machine.facescan(post, { stdin: JSON.stringify(answers) })
  await machine.facescan('answers save height=180 --external-user-id 4711 --timezone UTC')
  const shown = await machine.facescan('answers list 4711 --limit 1', { terminal: true })
  expect(shown.stdout).toMatch(/^height +180 /m)
  expect(shown.stderr).not.toContain('more answers')
  const { items, stderr } = await json('answers list 4711')
  expect(items).toHaveLength(50)
  expect(items[0]).toMatchObject({ question_lookup_key: 'height' })
  expect(stderr).toBe('there are more answers than the newest 50; use --all to show all\n')
})

test.each(['answers keys', 'profiles list', 'imports list', 'history list'])(
  '"%s --limit 1" prints one item and no note',
  async (list) => {
    for (const name of ['A-DEV', 'B-DEV']) {
      await machine.facescan(`profiles add ${name} --key-stdin --no-verify --base-url http://127.0.0.1:9`, {
        stdin: `key-of-${name}`,
      })
    }
    for (const value of [1, 2]) {
      // Each import has its own user, so it does not wait for the earlier import.
      await machine.facescan(`users create import-${value}`)
      const stdin = `external_user_id,lookup_key,value,timezone\nimport-${value},weight,${value},UTC\n`
      const imported = await machine.facescan(`answers import - --results ${machine.home}`, { stdin })
      expect(imported.exitCode, imported.stderr).toBe(0)
    }
    const { items, stderr } = await json(`${list} --limit 1`)
    expect(items).toHaveLength(1)
    expect(stderr).toBe('')
    expect((await json(`${list} --all`)).stderr).toBe('')
    expect(await machine.facescan(`${list} --limit 1 --all`)).toMatchObject({ exitCode: 2, stdout: '' })
  },
)

test('"biomarkers list --users" prints the note about the maximum number of scans once for all users', async () => {
  await machine.facescan('users create 4712')
  for (const user of ['4711', '4712']) await machine.facescan(`sandbox scan ${user} --count 12 --days 12`)
  const { stderr } = await machine.facescan('biomarkers list --users - -o ndjson', { stdin: '4711\n4712\n' })
  expect(stderr.match(/there are more scans than the newest 10;/g)).toHaveLength(1)
})

test('"recommendations --limit" prints the most relevant recommendations', async () => {
  await machine.facescan('sandbox scan 4711 --count 30 --days 30 --seed 7')
  const { recommendations } = (await json('recommendations 4711')).items
  expect(recommendations.length).toBeGreaterThan(1)
  const { items } = await json('recommendations 4711 --limit 1')
  expect(items.recommendations).toEqual([recommendations[0]])
})

test.each([
  ['answers keys --limit 3 --all', '--limit and --all'],
  [
    'history list --external-user-id 4711 --user-id 5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
    '--external-user-id and --user-id',
  ],
  ['profiles add ACME --store file --key-command op', '--store and --key-command'],
])('"%s" is a usage error that names the conflicting flags %s', async (line, flags) => {
  const refused = await machine.facescan(line)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain(`${flags} cannot be used together`)
})

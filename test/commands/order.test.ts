import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

test.each(['history list', 'imports list'])(
  '"%s" prints the newest item first, or the oldest item first with --order asc',
  async (list) => {
    const { facescan, home } = createMachine()
    for (const value of [1, 2]) {
      const stdin = `key-of-${value}`
      await facescan(`profiles add P${value}-DEV --key-stdin --no-verify --base-url http://127.0.0.1:9`, {
        stdin,
      })
      await facescan(`users create ${value}`)
      const answers = `external_user_id,lookup_key,value,timezone\n${value},weight,${value},UTC\n`
      await facescan(`answers import - --results ${home}`, { stdin: answers })
    }
    const read = async (flags: string) =>
      JSON.parse((await facescan(`${list} --json ${flags} --quiet`)).stdout)
    const newest = await read('--all')
    expect(newest.length).toBeGreaterThan(1)
    expect(await read('--all --order asc')).toEqual(newest.toReversed())
    const ran = await facescan(`${list} --json --limit 1 --order asc`)
    expect(JSON.parse(ran.stdout)).toEqual([newest.at(-1)])
  },
)

test.each([
  ['imports show', 'no imports on this machine', 'answers import --help'],
  ['imports verify', 'no imports on this machine', 'answers import --help'],
  ['imports resume', 'no stopped imports on this machine', 'imports list'],
])('"%s" without an ID shows no prompt on a terminal if no imports exist', async (line, message, next) => {
  const { facescan } = createMachine()
  const { exitCode, stderr } = await facescan(line, { terminal: true, columns: 120, env: { NO_COLOR: '1' } })
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(new RegExp(`^✗ ${message}\n→ .*: facescan ${next}\n$`))
})

test('without an ID, "imports show" offers all imports, and "imports resume" offers unfinished imports', async () => {
  const { facescan, home } = createMachine()
  await facescan('users create 4711')
  const answers = 'external_user_id,lookup_key,value,timezone\n4711,weight,70,UTC\n'
  await facescan(`answers import - --results ${home}`, { stdin: answers })
  const [{ id }] = JSON.parse((await facescan('imports list --json=id')).stdout)
  const shown = await facescan('imports show', { terminal: true, env: { ACCESSIBLE: '1' }, stdin: '1\n' })
  expect(shown.stderr).toContain(`  1. ${id}  finished`)
  expect([shown.exitCode, shown.stdout.includes(id)]).toEqual([0, true])
  const resumed = await facescan('imports resume', { terminal: true, env: { ACCESSIBLE: '1' } })
  expect([resumed.exitCode, resumed.stderr.includes('  1. ')]).toEqual([2, false])
})

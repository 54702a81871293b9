import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolvePaths } from '../../src/base/paths.ts'
import type { Command } from '../../src/framework/define-command.ts'
import { setProfile } from '../../src/profiles/edit-profiles.ts'
import { type Protection, protections } from '../../src/profiles/settings.ts'
import { realClock } from '../helpers/clock.ts'
import { exampleUserId, firstOfEach, usableExamples, wordsOf, writeInputFiles } from '../helpers/examples.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'
import { sample } from '../helpers/sample.ts'
import { type Service, startService } from '../helpers/service.ts'
import { describeCase, expectedDecision, type GuardCase, words } from '../profiles/guard-rules.ts'

interface User {
  external: string
  userId: string
}

const profiles = ['ACME', 'ACME-DEV'] as const

const rawCalls: [name: string, change: GuardCase['change'], line: string][] = [
  ['api PUT', 'change', `facescan api PUT /v2/users/${exampleUserId} -f language=nl`],
  ['api POST', 'change', 'facescan api POST /v2/users -f external_user_id=4711-raw'],
  ['api DELETE', 'destroy', `facescan api DELETE /v2/users/?user_id=${exampleUserId}`],
]

function changeOf({ effect, failures }: Command): GuardCase['change'] {
  if (effect === 'destroy') return 'destroy'
  return failures.includes('import_rejected') ? 'import' : 'change'
}

/** The first example of each command that changes data on the service. */
const examples = firstOfEach(
  (await usableExamples()).filter(
    ({ command, line }) =>
      command.effect !== 'read' && command.calls !== 'any' && !line.includes('--dry-run'),
  ),
)

const changing: [name: string, change: GuardCase['change'], line: string, isNew: boolean][] = [
  ...examples.map(({ name, command, line }): (typeof changing)[number] => [
    name,
    changeOf(command),
    line,
    command.user === 'new',
  ]),
  ...rawCalls.map((call): (typeof changing)[number] => [...call, false]),
]

let service: Service
const machines = new Map<string, Machine>()
let serial = 0

beforeAll(async () => {
  service = await startService()
  for (const protect of protections) machines.set(protect, await prepare(protect))
})

afterAll(() => service.close())

async function prepare(protect: Protection): Promise<Machine> {
  const machine = createMachine()
  const paths = resolvePaths(machine.env)
  const { production, development } = service.keys
  const add = ` --key-stdin --base-url ${service.url} --store file --no-verify`
  await machine.facescan(`profiles add ACME${add}`, { stdin: production.key })
  await machine.facescan(`profiles add ACME-DEV${add}`, { stdin: development.key })
  const access = { paths, env: {}, clock: realClock, command: 'profiles set' }
  for (const name of profiles) await setProfile(access, name, { protect })
  return machine
}

async function createUser(): Promise<User> {
  serial += 1
  const external = `table-${serial}`
  const headers = { 'x-api-key': service.keys.production.key, 'content-type': 'application/json' }
  const body = JSON.stringify({ external_user_id: external })
  const reply = await fetch(`${service.url}/v2/users`, { method: 'POST', headers, body })
  const { user_id } = (await reply.json()) as { user_id: string }
  return { external, userId: user_id }
}

function casesOf(change: GuardCase['change']): (GuardCase & { terminal: boolean })[] {
  return profiles.flatMap((profile) =>
    protections.flatMap((protect) =>
      [true, false].flatMap((terminal) =>
        [true, false].flatMap((yes) =>
          words.map((word) => {
            return { profile, protect, change, terminal, interactive: terminal && !yes, yes, word }
          }),
        ),
      ),
    ),
  )
}

describe.each(changing)('%s', (_, change, line, isNew) => {
  const first = changing.findIndex(([, , other]) => other === line)
  test.each(
    sample(casesOf(change), 7, first).map(
      (one) => [describeCase({ ...one, interactive: one.terminal }), one] as const,
    ),
  )('a change is sent or refused as documented: %s', async (_, one) => {
    const machine = machines.get(one.protect)!
    const user = await createUser()
    const folder = join(machine.home, user.external)
    await mkdir(folder)
    writeInputFiles(folder, user.external)
    const isExternal = line.includes('4711')
    const right = change !== 'destroy' ? one.profile! : isExternal ? user.external : user.userId
    const confirm = { none: [], right: [`--confirm=${right}`], wrong: ['--confirm=else'] }[one.word]
    const typed = wordsOf(line, {
      externalUserId: isNew ? `${user.external}-new` : user.external,
      userId: user.userId,
      input: (name) => join(folder, name),
    }).filter((word) => word !== '--yes' && !word.startsWith('--confirm='))
    const all = [...typed, '-p', one.profile!, ...confirm, ...(one.yes ? ['--yes'] : [])]
    const run = (stdin: string) => machine.facescan(all, { terminal: one.terminal, columns: 200, stdin })
    const decision = expectedDecision(one)
    if (decision === 'proceed') {
      expect(await run('')).toMatchObject({ exitCode: 0 })
      return
    }
    const declined = await run('n\n')
    expect(declined).toMatchObject({ exitCode: 12, stdout: '' })
    if (decision === 'refuse') return
    const [, number] = /Type (\d+) to confirm/.exec(declined.stderr) ?? []
    const word = change === 'import' ? number : right
    expect(await run(decision === 'agree' ? 'y\n' : `${word}\n`)).toMatchObject({ exitCode: 0 })
  })
})

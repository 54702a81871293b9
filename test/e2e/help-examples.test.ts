import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { topics } from '../../src/help/pages/topics.ts'
import { loadCommands } from '../../src/routes/routes.ts'
import { startSandbox } from '../../src/sandbox/server.ts'
import { fillIn, inputFiles, type Values } from '../helpers/examples.ts'
import { type Keyring, missingKeyring, startKeyring } from '../helpers/keyring.ts'
import { sample } from '../helpers/sample.ts'
import { type Service, startService } from '../helpers/service.ts'
import { bash, demoTurns, openShell, type Shell, type Turn } from '../helpers/shell.ts'

type Page = [name: string, examples: readonly string[]]

const pages: Page[] = [
  ...(await loadCommands()).map(({ name, command }): Page => [name, command.examples]),
  ...Object.entries(topics).map(
    ([name, page]): Page => [`help ${name}`, page.sections.flatMap(({ examples = [] }) => examples)],
  ),
].filter(([, examples]) => examples.length > 0)

/** Pages whose examples create the user 4711 or add profiles. Their examples start with an empty home directory. */
const startsEmpty = new Set(['users create', 'profiles add', 'sandbox key', 'help profiles'])

/** For each example that prompts or fails: a pattern for its prompts, the input for each prompt, and the exit code (default 0). */
const dialogues: [example: RegExp, turns: (shell: Shell) => readonly Turn[], exitCode?: number][] = [
  [/^facescan users delete --users leavers.csv$/, () => [[/Type 1 to confirm/, '1\r']]],
  [/^facescan sandbox reset$/, () => [[/\?/, 'y\r']]],
  [/^facescan doctor --bundle/, () => [[/\?/, 'y\r']]],
  [/^facescan imports verify/, () => [], 10],
  [/^facescan users get unknown/, () => [], 4],
  [/^facescan profiles add ACME-DEV/, () => [[/key/i, `${service.keys.development.key}\r`]]],
  [/^facescan sandbox serve/, () => [[/http:/, '\x03']], 130],
  [/--watch/, () => [[/heart_rate/, '\x03']]],
  [/^facescan demo/, () => demoTurns],
  [/--wait/, (shell) => [[/waiting/, () => shell.run('facescan sandbox scan 4711')]]],
]

const answers = (rows: readonly string[]) =>
  `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`
const files: Record<string, string | Buffer> = {
  ...inputFiles(),
  'leavers.csv': 'external_user_id\n6000\n',
  'staff.users.csv': 'external_user_id,status\n6001,created\n',
  'parts.csv': answers(['4711,weight,72,UTC', '5000,height,181,UTC']),
  'stopped.csv': answers(Array.from({ length: 9 }, (_, n) => `4711,weight,7${n},UTC`)),
}

let service: Service
let keyring: Keyring | undefined
let template: string
let values: Values

function openHome(from?: string): Shell {
  const { DBUS_SESSION_BUS_ADDRESS = '' } = keyring?.env ?? {}
  const shell = openShell({
    template: from,
    columns: 120,
    env: { DBUS_SESSION_BUS_ADDRESS, WAYLAND_DISPLAY: 'test' },
    programs: {
      'wl-copy': 'cat > clipboard',
      'wl-paste': 'cat clipboard',
      logger: 'cat >> audit.log',
      pass: 'cat ~/key',
      op: 'cat ~/key',
    },
  })
  writeFileSync(join(shell.home, 'key'), service.keys.production.key)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(shell.folder, name), text)
  return shell
}

async function addProfiles(shell: Shell): Promise<void> {
  const { development, production } = service.keys
  const add = 'facescan profiles add --key-stdin --base-url'
  await run(shell, `echo ${development.key} | ${add} ${service.url} ACME-DEV`)
  await run(shell, `echo ${production.key} | ${add} ${service.url} --store file ACME`)
  await run(shell, 'facescan users create 4711 --profile ACME --confirm=ACME')
  await run(shell, 'facescan profiles set ACME --protect read-only')
  await run(shell, 'facescan profiles use SANDBOX-DEV')
}

async function run(shell: Shell, command: string, exitCode = 0, turns: readonly Turn[] = []) {
  const result = await shell.run(command, turns)
  expect(result.exitCode, `$ ${command}\n${result.screen}\n`).toBe(exitCode)
  return result
}

/** Starts a sandbox server, as a user does by running `facescan sandbox serve` in another terminal. Returns its URL. */
async function serveSandboxOf({ home }: Shell): Promise<string> {
  const folder = join(home, '.local/state/facescan')
  mkdirSync(folder, { recursive: true })
  const sandbox = await startSandbox({ strict: true, database: join(folder, 'sandbox.db') })
  onTestFinished(() => sandbox.close())
  return sandbox.url
}

async function runPage(name: string, examples: readonly string[]): Promise<void> {
  const shell = openHome(startsEmpty.has(name) ? undefined : template)
  const usesServer = examples.some((example) => example.includes('sandbox key |'))
  const sandboxUrl = usesServer ? await serveSandboxOf(shell) : service.url
  // Only the first line of an example is run. In "help exit-codes", the second line is the result. Lines with $PROFILE are for PowerShell,
  // so they are skipped.
  const lines = examples
    .map((example) => example.split('\n')[0] ?? '')
    .filter((line) => !line.includes('$PROFILE'))
  for (const line of lines) {
    const command = fillIn(line, { ...values, sandboxUrl })
    const [, turns, exitCode = 0] = dialogues.find(([pattern]) => pattern.test(line)) ?? []
    await run(shell, command, exitCode, turns?.(shell))
  }
}

/** Pages whose examples store a key in a keyring. */
const needsKeyring = new Set(['profiles add', 'profiles move-key'])
const title = 'every example of "%s" runs, in order, in a new home directory'

describe.skipIf(bash.missing)('help examples in bash', () => {
  beforeAll(async () => {
    service = await startService()
    keyring = missingKeyring === '' ? await startKeyring() : undefined
    const shell = openHome()
    const read = async (command: string) => (await run(shell, command)).screen.trim()
    await run(shell, 'facescan users create 4711')
    await run(shell, 'facescan users create 6000')
    await run(shell, 'facescan users create 6001')
    const userId = await read('facescan users create 5000 --jq .user_id --quiet')
    await run(shell, 'facescan sandbox scan 4711 --count 30 --days 400')
    const scanId = await read('facescan biomarkers latest 4711 --jq ".[0].face_scan_id" --quiet')
    await addProfiles(shell)
    await run(shell, 'facescan answers import parts.csv --shard 1/2 --results results')
    await run(shell, 'facescan answers import parts.csv --shard 2/2 --results results')
    const slow = 'facescan answers import stopped.csv --batch-size 1 --rate 1/s'
    await run(shell, slow, 130, [[/of 9 answers/, '\x03']])
    const importId = await read(
      'facescan imports list --jq \'.[] | select(.status == "stopped") | .id\' --quiet',
    )
    template = shell.home
    values = { serviceUrl: service.url, userId, scanId, importId }
  })

  afterAll(async () => {
    keyring?.stop()
    await service.close()
  })

  test.each(
    sample(
      pages.filter(([name]) => !needsKeyring.has(name)),
      5,
    ),
  )(title, runPage)
  test.skipIf(missingKeyring).each(pages.filter(([name]) => needsKeyring.has(name)))(title, runPage)
})

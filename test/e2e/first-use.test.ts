import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const onTerminal = { terminal: true, env: { NO_COLOR: '1' } } as const

/** The command that a message suggests as the next step. */
function suggestion(text: string): string {
  const [, command = ''] =
    /(?:next|→ See|with|first):\s+(facescan [^\n`]*)/.exec(text.replaceAll('\\\n', '')) ?? []
  return command
    .replace(/\s+/g, ' ')
    .replace(/^facescan /, '')
    .trim()
}

test('a new user’s biomarkers are shown after three commands, and each command suggests the next command', async () => {
  const { facescan } = createMachine()
  const help = await facescan('', onTerminal)
  expect(help.stdout).toContain('facescan users create')
  const first =
    /\$ facescan (users create [^\n\\]+)/.exec((await facescan('users create --help')).stdout)?.[1] ?? ''

  const created = await facescan(first.trim(), onTerminal)
  expect(created.exitCode).toBe(0)
  const second = suggestion(created.stderr)
  expect(second).toMatch(/^sandbox scan /)
  const scanned = await facescan(second, onTerminal)
  expect(scanned.exitCode).toBe(0)
  const third = suggestion(scanned.stderr)
  expect(third).toMatch(/^biomarkers list /)
  const read = await facescan(third, onTerminal)
  expect(read.exitCode).toBe(0)
  expect(read.stdout).toMatch(/Heart bpm.*\n─+\njust now +\d+/)
})

test('the error for each typical mistake of a new user shows the next step', async () => {
  const { facescan } = createMachine()
  const typo = await facescan('biomarker list')
  expect(typo.stderr).toContain('did you mean "facescan biomarkers"?')
  const withoutUser = await facescan('biomarkers list')
  expect(withoutUser.stderr).toContain('pass the external user ID or --user-id')
  const unknown = await facescan('biomarkers list --external-user-id 4711')
  expect(unknown).toMatchObject({ exitCode: 4, stdout: '' })
  expect(unknown.stderr).toContain('Check the ID')
  const incomplete = await facescan('users create')
  expect(incomplete.stderr).toContain('facescan users create --help')
  await facescan('users create --external-user-id 4711')
  const empty = await facescan('biomarkers list --external-user-id 4711')
  expect(empty).toMatchObject({ exitCode: 0 })
  expect(empty.stderr).toContain('facescan sandbox scan')
  await facescan('sandbox scan --external-user-id 4711')
  const found = await facescan('biomarkers list --external-user-id 4711 --json')
  expect(JSON.parse(found.stdout)).toHaveLength(1)
})

test('the error for an unknown profile suggests a command for profiles', async () => {
  const { facescan } = createMachine()
  const result = await facescan('metrics --external-user-id 4711 --profile ACME')
  expect(result).toMatchObject({ exitCode: 13, stdout: '' })
  expect(result.stderr).toContain('facescan profiles')
})

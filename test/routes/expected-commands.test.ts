import { expect, it } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const { facescan } = createMachine()

it.each(['users list', 'users find 4711', 'users search ada'])(
  'the error for "%s" explains that the service cannot list users',
  async (line) => {
    const { exitCode, stdout, stderr } = await facescan(line)
    expect([exitCode, stdout]).toEqual([2, ''])
    expect(stderr).toContain('the service cannot list or search users')
    expect(stderr).toContain('facescan users get')
  },
)

it('the error for "users find 4711" contains the command that shows user 4711', async () => {
  const { stderr } = await facescan('users find 4711')
  expect(stderr).toContain('hint: Look up one user by ID: facescan users get 4711\n')
})

it.each(['answers delete 4711 weight', 'answers remove 4711'])(
  'the error for "%s" explains that the service cannot delete answers',
  async (line) => {
    const { exitCode, stderr } = await facescan(line)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('is not possible: the service cannot delete answers')
    expect(stderr).toContain('hint: To correct an answer, save it again: facescan answers save --help\n')
  },
)

it.each([
  ['user get 4711 --json', 'users get 4711 --json'],
  ['-p SANDBOX-DEV link 4711', 'scan-url 4711 --profile=SANDBOX-DEV'],
  ['-p link link 4711', 'scan-url 4711 --profile=link'],
  ['-p metrics 4711 metrics', 'metrics 4711 --profile=metrics'],
  ['-p 4711 4711 metrics', 'metrics 4711 --profile=4711'],
  ['metrisc 4711 --help', 'metrics 4711 --help'],
  ['users show 4711', 'users get 4711'],
  ['metrisc 4711', 'metrics 4711'],
  ['import staff.csv', 'answers import staff.csv'],
  ['compare 4711 --days 7', 'biomarkers compare 4711 --days=7'],
  ['save 4711 weight=72 --timezone UTC', 'answers save 4711 weight=72 --timezone=UTC'],
  ['use ACME', 'profiles use ACME'],
  ['metric 4711', 'metrics 4711'],
  ['biomarker list 4711', 'biomarkers list 4711'],
  ['scan 4711', 'scan-url 4711'],
  ['questions 4711', 'answers list 4711'],
  ['chart 4711', 'biomarkers list 4711'],
  ['remove 4711', 'users delete 4711'],
  ['users metrics 4711', 'metrics 4711'],
  ['users link 4711', 'scan-url 4711'],
  ['users invite staff.csv', 'invite staff.csv'],
  ['answers update 4711 weight=72 --timezone UTC', 'answers save 4711 weight=72 --timezone=UTC'],
  ['export 4711 --json', 'overview 4711 --json'],
  ['users export 4711', 'users get 4711'],
  ['answers export 4711', 'answers list 4711'],
  ['scans list 4711', 'biomarkers list 4711'],
  ['scans latest 4711 --count 2', 'biomarkers latest 4711 --count=2'],
  ['links 4711', 'scan-url 4711'],
  ['answers 4711', 'answers list 4711'],
  ['history 4711', 'history list --external-user-id 4711'],
  ['4711 metrics', 'metrics 4711'],
  ['4711 biomarkers list --limit 5', 'biomarkers list 4711 --limit=5'],
])('the error for "%s" contains the corrected command line "%s"', async (line, next) => {
  const { exitCode, stderr } = await facescan(line, { terminal: true, columns: 200, env: { NO_COLOR: '1' } })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`→ Run: facescan ${next}\n`)
})

it('the error for "list 4711" suggests no command, because several groups have the verb "list"', async () => {
  const { exitCode, stderr } = await facescan('list 4711')
  expect(exitCode).toBe(2)
  expect(stderr).not.toContain('did you mean')
})

it.each([
  `link ${'k3y!'.repeat(10)}`,
  'user get 4711 --api-key sk_live_secretsecret',
  'user get 4711 --lookup-key=sk_live_secretsecret',
  'user get 4711 --profile',
  'user get -- -x',
])('the error for "%s" contains no corrected command line and no value of an unknown flag', async (line) => {
  const { exitCode, stderr } = await facescan(line)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('did you mean')
  expect(stderr).not.toMatch(/Run: |k3y!k3y!|sk_live/)
})

it.each([
  ['link 4711', 'scan-url'],
  ['show 4711', 'overview'],
  ['delete 4711', 'users delete'],
  ['user', 'users'],
])('the error for the unknown command "%s" suggests "%s"', async (line, suggestion) => {
  const { exitCode, stderr } = await facescan(line)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`did you mean "facescan ${suggestion}"?`)
})

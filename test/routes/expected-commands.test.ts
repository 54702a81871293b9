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
  ['4711 metrics', 'metrics 4711'],
  ['4711 biomarkers list --limit 5', 'biomarkers list 4711 --limit=5'],
])('the error for "%s" contains the corrected command line "%s"', async (line, next) => {
  const { exitCode, stderr } = await facescan(line, { terminal: true, columns: 200, env: { NO_COLOR: '1' } })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`→ Run: facescan ${next}\n`)
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

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
  ['-p SANDBOX-DEV link 4711', '-p SANDBOX-DEV scan-url 4711'],
  ['users show 4711', 'users get 4711'],
  ['metrisc 4711', 'metrics 4711'],
  ['import staff.csv', 'answers import staff.csv'],
  ['4711 metrics', 'metrics 4711'],
  ['4711 biomarkers list --limit 5', 'biomarkers list 4711 --limit 5'],
])('the error for "%s" contains the corrected command line "%s"', async (line, next) => {
  const { exitCode, stderr } = await facescan(line, { terminal: true, columns: 200, env: { NO_COLOR: '1' } })
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`→ Run: facescan ${next}\n`)
})

it('the error for an unknown command with a key as an argument does not show the key', async () => {
  const { stderr } = await facescan(['link', 'k3y!'.repeat(10)])
  expect(stderr).toContain('Run: facescan scan-url ')
  expect(stderr).not.toContain('k3y!k3y!')
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

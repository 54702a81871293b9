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
  ['link 4711', 'scan-url'],
  ['show 4711', 'overview'],
  ['delete 4711', 'users delete'],
  ['user', 'users'],
])('the error for the unknown command "%s" suggests "%s"', async (line, suggestion) => {
  const { exitCode, stderr } = await facescan(line)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`did you mean "facescan ${suggestion}"?`)
})

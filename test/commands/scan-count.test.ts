import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

test('sandbox scan refuses a number of scans that does not fit into memory', async () => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  const refused = await machine.facescan('sandbox scan 4711 --count 100000000')
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain('--count: "100000000" is more than the maximum of 100000')
})

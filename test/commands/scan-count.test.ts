import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

test.each([
  ['--count', '100000000', '100000'],
  ['--days', '1000000000', '36500'],
])('"sandbox scan" refuses a number above its maximum: %s %s', async (flag, value, most) => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  const refused = await machine.facescan(`sandbox scan 4711 ${flag} ${value}`)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain(`${flag}: "${value}" is more than the maximum of ${most}`)
})

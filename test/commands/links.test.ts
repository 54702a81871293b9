import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../helpers/facescan.ts'

let machine: Machine

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan('users create --external-user-id 4711')
})

test.each(['scan-url', 'dashboard-url', 'token'])(
  '%s --qr draws the code and prints the credential nowhere',
  async (name) => {
    const drawn = await machine.facescan(`${name} --external-user-id 4711 --qr --json`, { columns: 200 })
    expect(drawn.exitCode).toBe(0)
    expect(JSON.parse(drawn.stdout)).toEqual({
      delivered: ['QR code'],
      expires_at: expect.stringMatching(/Z$/),
    })
    expect(drawn.stderr).toContain('▀')
    expect(drawn.stdout + drawn.stderr).not.toMatch(/eyJ|action_token/)
  },
)

test('a link says when it expires', async () => {
  const link = await machine.facescan('scan-url --external-user-id 4711')
  expect(link.stdout).toMatch(/^https?:\/\/\S+\n$/)
  expect(link.stderr).toMatch(/expires in \d+ h/)
})

test('--copy without a clipboard prints nothing and names other ways', async () => {
  const failed = await machine.facescan('scan-url --external-user-id 4711 --copy')
  expect(failed).toMatchObject({ exitCode: 13, stdout: '' })
  expect(failed.stderr).toContain('--qr')
})

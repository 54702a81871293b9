import { afterEach, expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'
import { openPty, type Pty } from '../helpers/pty.ts'

const user = '--external-user-id 4711'
let pty: Pty | undefined
afterEach(() => pty?.close())

test('scan-url --qr --wait shows the QR code, waits, and shows the biomarkers; Ctrl-C ends the wait', async () => {
  const machine = createMachine({ NO_COLOR: '1' })
  await machine.facescan(`users create ${user}`)
  const open = (line: string) => {
    pty = openPty(process.execPath, ['bin/facescan.js', ...line.split(' ')], {
      columns: 100,
      rows: 60,
      env: machine.env,
    })
    return pty
  }
  const call = open(`scan-url ${user} --qr --wait`)
  const waiting = await call.waitFor(/waiting for the scan… \d/)
  expect(waiting).toMatch(/[▀▄█]{10}/)
  await machine.facescan(`sandbox scan ${user} --seed 7`)
  await call.waitFor(/Heart rate +\d/, 25_000)
  expect(await call.ended).toBe(0)
  expect(call.raw()).not.toMatch(/https?:\/\/|eyJ/)
  expect(call.screen().join('\n')).not.toContain('waiting for the scan… ')
  call.close()

  const given = open(`scan-url ${user} --qr --wait`)
  await given.waitFor(/waiting for the scan… \d/)
  given.type('\x03')
  expect(await given.ended).toBe(130)
})

test('on a terminal that is too small for the QR code, the size that it needs and the link are shown', async () => {
  const machine = createMachine({ NO_COLOR: '1' })
  await machine.facescan(`users create ${user}`)
  pty = openPty(process.execPath, ['bin/facescan.js', 'scan-url', '4711', '--qr'], {
    rows: 24,
    env: machine.env,
  })
  expect(await pty.ended).toBe(0)
  const screen = pty.screen().join('\n')
  expect(screen).toMatch(/the QR code needs a terminal of \d+ columns and \d+ rows; this one has 80/)
  expect(screen.replaceAll('\n', '')).toMatch(/http:\/\/scan-\w+\.localhost\S+action_token=eyJ/)
  expect(screen).not.toMatch(/[▀▄█]/)
})

import { expect, it } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const { facescan } = createMachine()

it.each([
  ['history verify', 'history verify was removed', 'Show the log: facescan history list'],
  ['users get 4711 --redact', '--redact was removed', 'Print only fields without personal data'],
  ['--redact users get 4711', '--redact was removed', 'Print only fields without personal data'],
  ['users get 4711 --har /tmp/x.har', '--har was removed', 'Use --debug to trace requests'],
  ['users get 4711 --har=/tmp/x.har', '--har was removed', 'Use --debug to trace requests'],
])('the removed command "%s" exits with code 2 and names the replacement', async (line, message, hint) => {
  const { exitCode, stdout, stderr } = await facescan(line)
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toContain(message)
  expect(stderr).toContain(hint)
})

import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkUnselected } from '../../src/profiles/session.ts'

test.each([
  ['a terminal', 'a terminal', 'no warning'],
  ['a terminal', 'a pipe', 'no warning'],
  ['a pipe', 'a terminal', 'no warning'],
  ['a pipe', 'a pipe', 'a warning'],
])(
  'if stdin is %s, stderr is %s, and no profile is selected, a read causes %s',
  (stdinKind, stderrKind, expected) => {
    const stdin = Object.assign(Readable.from([]), { isTTY: stdinKind === 'a terminal' })
    const stderr = Object.assign(Object.create(process.stderr), { isTTY: stderrKind === 'a terminal' })
    const warning = checkUnselected({ unselected: ['ACME'] }, 'read', { stdin, stderr })
    expect(warning === undefined ? 'no warning' : 'a warning').toBe(expected)
  },
)

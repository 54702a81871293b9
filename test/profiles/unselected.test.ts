import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { checkUnselected } from '../../src/profiles/unselected.ts'

test.each([
  [true, true, 'no warning'],
  [true, false, 'no warning'],
  [false, true, 'no warning'],
  [false, false, 'a warning'],
])(
  'a read without a selected profile causes no warning if stdin or stderr is a terminal (%s, %s): %s',
  (stdinIsTerminal, stderrIsTerminal, expected) => {
    const stdin = Object.assign(Readable.from([]), { isTTY: stdinIsTerminal })
    const stderr = Object.assign(Object.create(process.stderr), { isTTY: stderrIsTerminal })
    const warning = checkUnselected({ unselected: ['ACME'] }, 'read', { stdin, stderr })
    expect(warning === undefined ? 'no warning' : 'a warning').toBe(expected)
  },
)

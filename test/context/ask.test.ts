import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { isAskable } from '../../src/context/ask.ts'

const terminal = Object.assign(new PassThrough(), { isTTY: true })
const io = { stdin: terminal, stdout: terminal, stderr: terminal }

test.each([
  [{}, true],
  [{ CI: 'true' }, false],
  [{ CI: 'false' }, true],
  [{ FACESCAN_NO_INPUT: '1' }, false],
  [{ FACESCAN_NO_INPUT: '0' }, true],
])('a command on a terminal with the environment %j shows prompts (expected: %s)', (env, expected) => {
  expect(isAskable(io, env, { input: true, yes: false })).toBe(expected)
})

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { isAskable } from '../../src/cli/parse.ts'

const terminal = Object.assign(new PassThrough(), { isTTY: true })
const io = { stdin: terminal, stdout: terminal, stderr: terminal }

test.each([
  [{}, 'shows'],
  [{ CI: 'true' }, 'does not show'],
  [{ CI: 'false' }, 'shows'],
  [{ FACESCAN_NO_INPUT: '1' }, 'does not show'],
  [{ FACESCAN_NO_INPUT: '0' }, 'shows'],
])('if the environment is %j, a command on a terminal %s prompts', (env, verb) => {
  expect(isAskable(io, env, { input: true, yes: false })).toBe(verb === 'shows')
})

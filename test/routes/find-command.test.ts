import { expect, test } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import { findCommand } from '../../src/routes/routes.ts'
import { locate, unknownCommand } from '../../src/routes/unknown-command.ts'

const split = (line: string) => line.split(' ').filter(Boolean)

test.each([
  ['users get', 'command', 'users get'],
  ['users get get users', 'command', 'users get'],
  ['metrics 4711', 'command', 'metrics'],
  ['users', 'branch', 'users'],
  ['', 'root', ''],
])('the command line "%s" selects a %s with the name "%s"', (line, kind, name) => {
  expect(locate(split(line))).toMatchObject({ kind, name })
})

test.each([
  ['user get', /unknown command "user".*did you mean "facescan users"/],
  ['users gte', /unknown command "users gte".*did you mean "facescan users get"/],
  ['sandbox bogus', /^unknown command "sandbox bogus"$/],
  ['users show', /did you mean "facescan users get"/],
  ['profiles delete X', /did you mean "facescan profiles remove"/],
  ['login', /did you mean "facescan profiles add"/],
  ['get 4711', /did you mean "facescan users get"/],
  ['imports get', /did you mean "facescan imports show"/],
  ['answers get', /did you mean "facescan answers list"/],
  ['version', /did you mean "facescan --version"/],
  ['dashboard', /did you mean "facescan dashboard-url"/],
  ['users __proto__', /unknown command "users __proto__"/],
  ['constructor', /unknown command "constructor"/],
  ['users 4711', /^unknown command "users 4711"$/],
  ['qqqqqqqqqq', /^unknown command "qqqqqqqqqq"$/],
])('the error for the unknown command "%s" suggests a similar command if one exists', (line, message) => {
  expect(findCommand(split(line))).toBeUndefined()
  expect(() => locate(split(line))).toThrow(message)
  expect(() => locate(split(line))).toThrow(UsageError)
})

test.each([
  ['4711', 'facescan overview 4711'],
  ['users emp-4711', 'facescan users get emp-4711'],
  ['biomarkers 4711', 'facescan biomarkers list 4711'],
  ['answers 4711', 'facescan answers list 4711'],
])('the error for "%s", which contains an ID instead of a command, suggests "%s"', (line, command) => {
  expect(unknownCommand(split(line)).details.hint).toBe(`Run: ${command}`)
})

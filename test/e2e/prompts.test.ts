import { expect, test } from 'vitest'
import { hang, serve } from '../helpers/hostile-server.ts'
import { down, useTerminal } from './use-terminal.ts'

const { facescan, open } = useTerminal()

test('"users create" prompts for an ID and for optional fields, and shows the equivalent command', async () => {
  const terminal = facescan('users create --profile SANDBOX-DEV')
  await terminal.waitFor(/External user ID/)
  terminal.type('\r')
  await terminal.waitFor(/is empty/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth/)
  terminal.type('1984-02-30\r')
  await terminal.waitFor(/is not a valid date/)
  terminal.type('\x7f\x7f29\r')
  await terminal.waitFor(/Sex at birth/)
  terminal.type(`${down}${down}\r`)
  await terminal.waitFor(/Default language/)
  terminal.type(`${down}${down}\r`)
  await terminal.waitFor(/Preferred unit system/)
  terminal.type('\r')
  await terminal.waitFor(/equivalent command:[\s\S]*Run this command/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/next:/)
  expect(screen.replace(/ ?\\?\n\s*/g, ' ')).toContain(
    'facescan users create --profile SANDBOX-DEV 4711 --birth-date 1984-02-29 --sex F --language nl',
  )
  expect(screen).toMatch(/Date of birth +1984-02-29/)
  expect(await terminal.ended).toBe(0)
})

test('pressing Enter at an optional prompt of "users create" stores no value', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  for (const label of [
    /Date of birth/,
    /Sex at birth/,
    /Default language/,
    /Preferred unit system/,
    /Run this/,
  ]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  const screen = await terminal.waitFor(/next:/)
  expect(screen).toMatch(/equivalent command: facescan users create 4711$/m)
  expect(screen).toMatch(/Date of birth +–\nSex at birth +–/)
})

test('the equivalent command for an ID that starts with a dash contains "--" before the ID', async () => {
  const terminal = facescan('users create --sex F')
  await terminal.waitFor(/External user ID/)
  terminal.type('-4711\r')
  const screen = await terminal.waitFor(/next:/)
  expect(screen).toMatch(/equivalent command: facescan users create --sex F -- -4711$/m)
})

test('the equivalent command puts an ID with a space in quotation marks', async () => {
  const terminal = facescan('users create --sex F')
  await terminal.waitFor(/External user ID/)
  terminal.type('Ann Lee\r')
  const screen = await terminal.waitFor(/next:/)
  expect(screen).toMatch(/equivalent command: facescan users create --sex F 'Ann Lee'$/m)
})

test.each([
  ['1899-12-31', /must be 1900-01-01 or later/],
  ['2999-01-01', /is in the future/],
])('the prompt for the date of birth refuses %s', async (date, problem) => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth/)
  terminal.type(`${date}\r`)
  await terminal.waitFor(problem)
})

test('the prompt for an external user ID refuses the ID of an existing user', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/user "4711" already exists/)
})

test('Esc returns to the previous prompt and keeps all answers', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/Esc returns to the previous question[\s\S]*External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/\? Date of birth/)
  terminal.type('1984-02-29\r')
  await terminal.waitFor(/\? Sex at birth/)
  terminal.type(`${down}${down}\r`)
  await terminal.waitFor(/\? Default language/)
  terminal.type('\x1b')
  await terminal.waitFor(/\? Sex at birth[\s\S]*❯ female/)
  terminal.type('\x1b')
  await terminal.waitFor(/\? Date of birth .* 1984-02-29$/)
  terminal.type('\x7f8\r')
  for (const label of [
    /\? Sex at birth/,
    /\? Default language/,
    /\? Preferred unit system/,
    /\? Run this command/,
  ]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  const screen = await terminal.waitFor(/Date of birth +1984-02-28/)
  expect(screen).toMatch(/Sex at birth +F/)
})

test('Esc removes an answer that ends at the right edge of the terminal', async () => {
  const terminal = open(process.execPath, ['bin/facescan.js', 'users', 'create'], { NO_COLOR: '1' }, 40)
  await terminal.waitFor(/External user ID/)
  const id = '4'.repeat(40 - '✓ External user ID '.length)
  terminal.type(`${id}\r`)
  await terminal.waitFor(/\? Date of birth/)
  terminal.type('\x1b')
  const screen = await terminal.waitFor(/\? External user ID/)
  expect(screen.match(/External user ID/g)).toHaveLength(1)
})

test('the second line of a long confirmation prompt starts below the first word of the prompt', async () => {
  const create = facescan('users create 4711 --sex F --birth-date 1984-02-29')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = open(
    process.execPath,
    ['bin/facescan.js', 'users', 'delete', '4711'],
    { NO_COLOR: '1' },
    80,
  )
  const screen = await terminal.waitFor(/Continue\?/)
  expect(screen).toMatch(/^\? About to delete .*\n {2}\S.* Continue\? \(y\/N\)$/)
})

test('Esc at the final confirmation returns to the last prompt, and answering no to the confirmation changes nothing', async () => {
  const terminal = facescan('users create')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  for (const label of [
    /\? Date of birth/,
    /\? Sex at birth/,
    /\? Default language/,
    /\? Preferred unit system/,
  ]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  await terminal.waitFor(/create 4711\n\? Run this command/)
  terminal.type('\x1b')
  const screen = await terminal.waitFor(/\? Preferred unit system/)
  expect(screen).not.toContain('equivalent command')
  terminal.type(`${down}\r`)
  await terminal.waitFor(/create 4711 --unit-system metric\n\? Run this command/)
  terminal.type('n\r')
  await terminal.waitFor(/canceled; nothing was changed/)
  expect(await terminal.ended).toBe(12)
})

test('"users update" without flags prompts for the fields', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users update 4711')
  for (const label of [
    /\? Date of birth/,
    /\? Sex at birth/,
    /\? Default language/,
    /\? Preferred unit system/,
  ]) {
    await terminal.waitFor(label)
    terminal.type(label.source.includes('language') ? `${down}${down}\r` : '\r')
  }
  expect(terminal.screen().join('\n')).toMatch(/YYYY-MM-DD, not set\)\n✓ Sex at birth .* Keep\n/)
  await terminal.waitFor(/equivalent command: facescan users update 4711 --language nl\n\? Run this command/)
  terminal.type('\r')
  await terminal.waitFor(/Language +en → nl/)
  expect(await terminal.ended).toBe(0)
})

test.each(['users update 4712', 'users update --user-id 7c9e6679-7425-40de-944b-e07fc1f90ae7'])(
  '"%s" for an unknown user fails before the prompts for the fields',
  async (line) => {
    const terminal = facescan(line)
    await terminal.waitFor(/not found in SANDBOX-DEV/)
    expect(await terminal.ended).toBe(4)
    expect(terminal.screen().join('\n')).not.toContain('Date of birth')
  },
)

test('if "users update" prompts for the user, it checks the user before it prompts for the fields', async () => {
  const terminal = facescan('users update')
  await terminal.waitFor(/External user ID/)
  terminal.type('4712\r')
  await terminal.waitFor(/user "4712" not found in SANDBOX-DEV/)
  expect(await terminal.ended).toBe(4)
  expect(terminal.screen().join('\n')).not.toContain('Date of birth')
})

test('"users update" changes nothing and exits with 2 if Enter keeps every value', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('users update 4711')
  for (const label of [/\? Date of birth/, /\? Sex at birth/, /\? Default lang/, /\? Preferred unit/]) {
    await terminal.waitFor(label)
    terminal.type('\r')
  }
  await terminal.waitFor(/✗ all values were kept; nothing was changed/)
  expect(await terminal.ended).toBe(2)
})

test('keys pressed before a prompt do not answer the prompt', async () => {
  const terminal = facescan('users create')
  terminal.type('4711\r\r\r')
  await terminal.waitFor(/External user ID/)
  terminal.type('4712\r')
  const screen = await terminal.waitFor(/\? Date of birth/)
  expect(screen).toMatch(/External user ID 4712$/m)
})

test('a command prompts only for missing arguments and flags', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('answers save weight=80 --external-user-id 4711')
  await terminal.waitFor(/time zone of the answer/)
  terminal.type('Lisb')
  await terminal.waitFor(/Europe\/Lisbon/)
  terminal.type('\r')
  await terminal.waitFor(/weight +80/)
})

test('if nothing is selected at a required choice, Enter replaces the label of the prompt with instructions', async () => {
  const terminal = facescan('completion')
  await terminal.waitFor(/\? Shell\n❯ Choose one:/)
  terminal.type('\r')
  await terminal.waitFor(/\? Shell\n❯ Nothing is chosen yet. Press ↓ to choose, then Enter/)
  terminal.type(down)
  await terminal.waitFor(/❯ bash/)
  expect(terminal.screen()[0]).toBe('? Shell')
})

test('with ACCESSIBLE=1, choices are numbered, and "<" returns to the previous prompt', async () => {
  const terminal = facescan('users create', { ACCESSIBLE: '1' })
  await terminal.waitFor(/External user ID: $/)
  terminal.type('4711\r')
  await terminal.waitFor(/Date of birth .*: $/)
  terminal.type('1984-02-29\r')
  await terminal.waitFor(/1\. male\n +2\. female\nNumber \(1 to 2, or Enter to skip\): $/)
  terminal.type('<\r')
  await terminal.waitFor(/Date of birth .*, Enter keeps 1984-02-29: $/)
  terminal.type('1990-01-01\r')
  await terminal.waitFor(/1\. male[\s\S]*1\. male[\s\S]*skip\): $/)
  terminal.type('3\r')
  await terminal.waitFor(/"3" is not a number from 1 to 2/)
  terminal.type('2\r')
  await terminal.waitFor(/1\. English[\s\S]*skip\): $/)
  terminal.type('\r')
  await terminal.waitFor(/1\. metric[\s\S]*skip\): $/)
  terminal.type('\r')
  await terminal.waitFor(/Run this command\? .*: $/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/Date of birth +1990-01-01/)
  expect(screen).toContain('facescan users create 4711 --birth-date 1990-01-01 --sex F')
  // The output contains no cursor movements, because a screen reader would read text again after a movement.
  expect(terminal.raw()).not.toMatch(/\x1b\[\d*[A-K]/)
})

test('with ACCESSIBLE=1, Enter at a required choice prints that a number is required', async () => {
  const terminal = facescan('completion', { ACCESSIBLE: '1' })
  await terminal.waitFor(/Number \(1 to \d\): $/)
  terminal.type('\r')
  await terminal.waitFor(/^enter a number from 1 to \d$/m)
})

// Escape sequences that set a style. The sequence that resets styles is excluded, because a prompt without styles can print it.
const styled = /\x1b\[[1-9]\d*m/

test.each([
  ['never', 'without color'],
  ['always', 'in color'],
])('with --color %s, prompts are printed %s', async (mode, look) => {
  const terminal = facescan(`users create --color ${mode}`, {})
  await terminal.waitFor(/External user ID/)
  terminal.type('\r')
  await terminal.waitFor(/is empty/)
  expect(styled.test(terminal.raw())).toBe(look === 'in color')
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
})

test('in a long list of choices, the typed text filters the choices', async () => {
  const create = facescan('users create 4711')
  expect(await create.ended).toBe(0)
  create.close()
  const terminal = facescan('answers save')
  await terminal.waitFor(/External user ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/Answers/)
  terminal.type('average_sleep_hours=4\r')
  await terminal.waitFor(/time zone/)
  terminal.type('Lisb')
  await terminal.waitFor(/Europe\/Lisbon/)
  terminal.type('\r')
  await terminal.waitFor(/Run this command/)
  terminal.type('\r')
  const screen = await terminal.waitFor(/average_sleep_hours +4/)
  expect(screen.replace(/\n\s*/g, ' ')).toContain(
    'facescan answers save average_sleep_hours=4 --external-user-id 4711 --timezone Europe/Lisbon',
  )
})

test('the equivalent command is printed before the first request', async () => {
  const server = await serve(hang)
  const terminal = facescan('users get', { FACESCAN_API_KEY: 'key', FACESCAN_BASE_URL: server.url })
  await terminal.waitFor(/ID/)
  terminal.type('4711\r')
  await terminal.waitFor(/equivalent command: facescan users get 4711/)
  terminal.type('\x03')
  expect(await terminal.ended).toBe(130)
  await server.close()
})

import { copyFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPty, type Pty } from '../helpers/pty.ts'
import { rowsOf, workbook } from '../helpers/workbook.ts'

const exports = join(import.meta.dirname, '../bulk/exports/files')

let home: string
let pty: Pty | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'facescan-repair-'))
})
afterEach(() => pty?.close())

const down = '\x1b[B'

/** Runs the built program on a terminal with 80 columns. */
function facescan(line: string, timeZone = 'Europe/Amsterdam'): Pty {
  const args = [join(import.meta.dirname, '../../bin/facescan.js'), ...line.split(' ')]
  const env = {
    HOME: home,
    NO_COLOR: '1',
    TZ: timeZone,
    FACESCAN_CONFIG_DIR: join(home, 'config'),
    FACESCAN_STATE_DIR: join(home, 'state'),
  }
  pty = openPty(process.execPath, args, { cwd: home, columns: 80, rows: 24, env })
  return pty
}

/** Waits for each prompt, moves down by a number of entries, and presses Enter. */
async function choose(terminal: Pty, answers: readonly (readonly [label: string, entry: number])[]) {
  for (const [label, entry] of answers) {
    await terminal.waitFor(new RegExp(`^\\? ${label.replace(/[()?]/g, '\\$&')}`, 'm'))
    terminal.type(`${down.repeat(entry)}\r`)
  }
}

/** The text of the screen as one line, without the line breaks in long commands. */
const joined = (screen: string) => screen.replace(/ ?\\?\n\s*/g, ' ')

test('"users import" prompts for unclear columns and values, and can save the flags in a mapping file', async () => {
  copyFileSync(join(exports, 'staff-nl.ansi.csv'), join(home, 'staff.csv'))
  const terminal = facescan('users import staff.csv')
  await choose(terminal, [
    ['Column "Personeelsnummer" (000101) is', 1],
    ['Column "Geboortedatum" (13-03-1980) is', 1],
    ['Column "Geslacht" (V) is', 1],
    ['Column "Taal" (FR) is', 1],
    ['The user ID 102 is', 1],
    ['Date format in Geboortedatum: 13-03-1980 is 1980-03-13?', 0],
    ['Meaning of "V" in column "Geslacht" (12 rows)', 1],
    ['Meaning of "M" in column "Geslacht" (12 rows)', 1],
  ])
  await terminal.waitFor(/\? File for these settings/)
  terminal.type('staff.json\r')
  const screen = joined(await terminal.waitFor(/\? Run this command/))
  expect(screen).toContain('line 3: 000102, birth_date 2001-01-03, sex M, language en')
  const flags =
    '--map Personeelsnummer=external_user_id --map Geboortedatum=birth_date --map Geslacht=sex --map Taal=language --ids pad:6 --date-format DD-MM-YYYY --values sex:V=F,M=M'
  expect(screen).toContain(`equivalent command: facescan users import staff.csv ${flags}`)
  terminal.type('\r')
  await terminal.waitFor(/with --mapping staff.json/)
  expect(await terminal.ended).toBe(0)
  for (const same of [flags, '--mapping staff.json']) {
    const again = facescan(`users import staff.csv ${same}`)
    await again.waitFor(/nothing to import: 24 existing/)
    expect(await again.ended).toBe(0)
  }
})

test('"answers import" prompts for the sheet, user column, lookup key, and time zone of a workbook', async () => {
  const rows = rowsOf([
    ['Nummer', 'Lengte', 'Puls', 'Remark'],
    ['a1', '180', '61', ''],
    ['b2', '170', '72', 'none'],
  ])
  const sheets = [
    { name: 'Old', state: 'hidden', rows: rowsOf([['x']]) },
    { name: 'New one', rows },
  ]
  writeFileSync(join(home, 'answers.xlsx'), workbook({ sheets }))
  const terminal = facescan('answers import answers.xlsx --dry-run')
  await choose(terminal, [
    ['Sheet', 1],
    ['Column "Nummer" (a1) is', 1],
    ['Column "Lengte" (180) is', 1],
    ['Time zone of all answers', 2],
    ['Column "Puls" (61) is', 3],
  ])
  await terminal.waitFor(/type to search/)
  terminal.type('weight')
  await terminal.waitFor(/❯ weight/)
  terminal.type('\r')
  const screen = joined(await terminal.waitFor(/First answers to be sent/))
  expect(screen).toContain(
    "--sheet 'New one' --map Nummer=external_user_id --map Lengte=height --map Puls=weight",
  )
  expect(screen).toContain('--timezone UTC')
  expect(terminal.screen().join('\n')).toMatch(/Form +wide form, workbook$/m)
  expect(await terminal.ended).toBe(0)
})

test('the prompt for a time zone suggests only UTC on a machine in UTC', async () => {
  writeFileSync(join(home, 'answers.csv'), 'external_user_id,lookup_key,value\na1,weight,72\n')
  const terminal = facescan('answers import answers.csv --dry-run', 'UTC')
  const screen = await terminal.waitFor(/something else/)
  expect(screen).toMatch(/this machine: UTC[^?]*UTC\s+something else/)
  expect(screen).not.toContain('Africa/')
  terminal.type(`${down}\r`)
  await terminal.waitFor(/--timezone UTC/)
})

test('if a file is unclear, "users import --no-input" prints one error that contains the flags, and does not prompt', async () => {
  copyFileSync(join(exports, 'staff-us.utf8.csv'), join(home, 'staff.csv'))
  const terminal = facescan('users import staff.csv --no-input')
  expect(await terminal.ended).toBe(2)
  expect(joined(terminal.screen().join('\n'))).toMatch(
    /then run: facescan users import staff.csv --no-input --ids keep/,
  )
  expect(existsSync(join(home, 'staff.users.csv'))).toBe(false)
})

test('"users import" does not prompt if its file must be corrected first', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,birth_date\na1,29-02-84\nb2,13-05-90\n')
  const terminal = facescan('users import staff.csv')
  expect(await terminal.ended).toBe(2)
  expect(joined(terminal.screen().join('\n'))).toContain('staff.csv cannot be read; nothing was sent')
  expect(readFileSync(join(home, 'staff.csv'), 'utf8')).toContain('29-02-84')
})

test('Esc at a prompt about a file returns to the previous prompt and keeps the answers', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,sex,language\na1,divers,de\n')
  const terminal = facescan('users import staff.csv')
  await terminal.waitFor(/Esc returns to the previous question[\s\S]*Choose one:\n +no value\n +F\n +M\n/)
  terminal.type(`${down}\r`)
  await terminal.waitFor(
    /\? Meaning of "de" in column "language" \(1 row\)\n❯ Choose one:\n +no value\n +en\n/,
  )
  terminal.type(`${down.repeat(2)}\r`)
  await terminal.waitFor(/\? File for these settings/)
  terminal.type('\x1b')
  const back = await terminal.waitFor(/back to the questions[\s\S]*\? Meaning of "de"[\s\S]*❯ en/)
  expect(back).toMatch(
    /nothing was changed\n✓ Meaning of "divers" in column "sex" \(1 row\) no value\n\? Meaning of "de"/,
  )
  terminal.type('\x1b')
  await terminal.waitFor(
    /nothing was changed\n\? Meaning of "divers" in column "sex" \(1 row\)\n +Choose one:\n❯ no value/,
  )
  terminal.type('\r')
  await terminal.waitFor(/\? Meaning of "de"[\s\S]*❯ en/)
  terminal.type('\r')
  await terminal.waitFor(/\? File for these settings/)
  terminal.type('\r')
  const review = await terminal.waitFor(/\? Run this command/)
  expect(joined(review)).toContain('users import staff.csv --values sex:divers= --values language:de=en')
  terminal.type('\r')
  await terminal.waitFor(/Imported 1 user/)
  expect(await terminal.ended).toBe(0)
})

test('after prompts about a file, nothing is changed if the final confirmation is answered with Esc or no', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,sex\na1,w\n')
  const terminal = facescan('users import staff.csv')
  await choose(terminal, [['Meaning of "w" in column "sex" (1 row)', 1]])
  await terminal.waitFor(/\? File for these settings/)
  terminal.type('missing/staff.json\r')
  await terminal.waitFor(/> cannot write missing/)
  terminal.type('\x15staff.json\r')
  await terminal.waitFor(/\? Run this command/)
  terminal.type('\x1b')
  // The prompt and its answer fill the line up to the last column. The prompt must still be shown only once.
  const back = await terminal.waitFor(/\? File for these settings .* staff.json$/)
  expect(back.match(/File for these settings/g)).toHaveLength(1)
  expect(existsSync(join(home, 'staff.json'))).toBe(false)
  terminal.type('\r')
  await terminal.waitFor(/\? Run this command/)
  terminal.type('n\r')
  await terminal.waitFor(/canceled; nothing was changed/)
  expect(await terminal.ended).toBe(12)
  expect(existsSync(join(home, 'staff.json'))).toBe(false)
  expect(existsSync(join(home, 'staff.users.csv'))).toBe(false)
})

test('a prompt asks whether the only possible date format is right, and the answer "no" changes nothing', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,birth_date,sex\na1,13.03.1980,w\n')
  const terminal = facescan('users import staff.csv')
  await terminal.waitFor(/Date format in birth_date: 13.03.1980 is 1980-03-13\? \(Y\/n\)/)
  terminal.type('\r')
  await terminal.waitFor(/\? Meaning of "w"/)
  terminal.type('\x1b')
  const screen = await terminal.waitFor(/\? Date format/)
  expect(screen.match(/are in the format DD.MM.YYYY/g)).toHaveLength(1)
  terminal.type('n\r')
  await terminal.waitFor(/canceled; nothing was changed/)
  expect(await terminal.ended).toBe(12)
  expect(existsSync(join(home, 'staff.users.csv'))).toBe(false)
})

test('Esc in the search for a time zone returns to the short list of time zones', async () => {
  writeFileSync(join(home, 'answers.csv'), 'external_user_id,lookup_key,value\na1,weight,72\n')
  const terminal = facescan('answers import answers.csv --dry-run', 'UTC')
  await choose(terminal, [['Time zone of all answers', 2]])
  await terminal.waitFor(/type to search/)
  terminal.type('\x1b')
  const screen = await terminal.waitFor(/❯ something else/)
  expect(screen.match(/Time zone of all answers/g)).toHaveLength(1)
  terminal.type('\x1b[A\r')
  await terminal.waitFor(/--timezone UTC/)
})

test('the last equivalent command of "users import --with-answers" contains the answers to all prompts about the file', async () => {
  const rows = 'external_user_id,sex,weight,heigth\na1,w,72,180\n'
  writeFileSync(join(home, 'staff.csv'), rows)
  const terminal = facescan('users import staff.csv --with-answers --timezone UTC')
  await choose(terminal, [
    ['Column "heigth" (180) is', 1],
    ['Meaning of "w"', 2],
  ])
  await terminal.waitFor(/Meaning of[\s\S]*\? File for these settings/)
  terminal.type('staff.json\r')
  const screen = joined(await terminal.waitFor(/\? Run this command/))
  expect(screen).toContain('--timezone UTC --ignore-columns heigth --values sex:w=F')
  expect(screen.match(/File for these settings/g)).toHaveLength(1)
  terminal.type('\r')
  await terminal.waitFor(/imported 1 answer/)
  expect(await terminal.ended).toBe(0)
  expect(JSON.parse(readFileSync(join(home, 'staff.json'), 'utf8'))).toMatchObject({
    ignore_columns: ['heigth'],
    values: { sex: { w: 'F' } },
  })
})

test('if a column contains answers, "users import" first names the command that saves the answers, and then asks about the column', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,Height,sex\na1,181,F\n')
  const terminal = facescan('users import staff.csv')
  const screen = joined(await terminal.waitFor(/\? Column "Height" \(181\) is/))
  expect(screen).toMatch(
    /To save the answers in the file: facescan users import staff.csv --with-answers \? Column/,
  )
  await choose(terminal, [['Column "Height"', 1]])
  await terminal.waitFor(/\? File for these settings/)
})

test('if only a column with answers is unclear, "users import --with-answers" asks once whether to save the settings', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,sex,weight,heigth\na1,F,72,180\n')
  const terminal = facescan('users import staff.csv --with-answers --timezone UTC')
  await choose(terminal, [
    ['Column "heigth" (180) is', 1],
    ['File for these settings', 0],
    ['Run this command', 0],
  ])
  const screen = await terminal.waitFor(/imported 1 answer/)
  expect(screen.match(/File for these settings/g)).toHaveLength(1)
  expect(await terminal.ended).toBe(0)
})

test('if "users import --with-answers" continues an earlier import, it shows the equivalent command with the answers to its prompts', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,sex,weight,heigth\na1,F,72,180\n')
  const line = 'users import staff.csv --with-answers --timezone UTC'
  const first = facescan(`${line} --ignore-columns heigth`)
  expect(await first.ended).toBe(0)
  const terminal = facescan(`${line} --repeat-result`)
  await choose(terminal, [
    ['Column "heigth" (180) is', 1],
    ['File for these settings', 0],
  ])
  const screen = joined(await terminal.waitFor(/\? Run this command/))
  expect(screen).toContain(`equivalent command: facescan ${line} --repeat-result --ignore-columns heigth`)
  terminal.type('\r')
  await terminal.waitFor(/already imported/)
  expect(await terminal.ended).toBe(0)
})

test('if a required choice has a label with several lines, no lines of the label remain above the prompt after Enter', async () => {
  writeFileSync(join(home, 'staff.csv'), 'external_user_id,sex at birth\na1,w\n')
  const terminal = facescan('users import staff.csv')
  await terminal.waitFor(/\? Meaning of[\s\S]*Choose one/)
  terminal.type('\r')
  await terminal.waitFor(/❯ Nothing is chosen yet/)
  const drawn = () => terminal.raw().split('❯').length
  const before = drawn()
  terminal.type('\r')
  await expect.poll(drawn).toBeGreaterThan(before)
  terminal.type(down)
  const screen = await terminal.waitFor(/❯ no value/)
  expect(screen.match(/Meaning of/g)).toHaveLength(1)
})

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../../helpers/facescan.ts'
import { workbook } from '../../helpers/workbook.ts'

let machine: Machine
let home: string

beforeEach(() => {
  // With ACCESSIBLE, each prompt is one line, and an answer ends with Enter.
  machine = createMachine({ ACCESSIBLE: '1', NO_COLOR: '1' })
  home = machine.home
})

/** Runs a command for the file `list.csv` on a terminal, and types one answer after each prompt. */
async function answer(rows: string, line: string, answers: readonly string[]) {
  writeFileSync(join(home, 'list.csv'), `${rows}\n`)
  const options = { terminal: true, columns: 200, answers }
  const { exitCode, stderr } = await machine.facescan(line.replace('FILE', join(home, 'list.csv')), options)
  return { exitCode, text: stderr.replaceAll(`${home}/`, '') }
}

const people = async () => JSON.parse((await machine.facescan('sandbox status --json')).stdout).users

const equivalent = (text: string) => [...text.matchAll(/equivalent command: (.*)/g)].map(([, line]) => line)

test('the answers to prompts about a file are used, and the prompts end with the equivalent command', async () => {
  const rows = 'external_user_id,sex,language\na1,divers,de'
  const { exitCode, text } = await answer(rows, 'users import FILE', ['2', '3', '', 'y'])
  expect(text).toContain('to return to the previous question, type < and press Enter; Ctrl-C cancels\n')
  expect(text).toContain('First users to be sent:\n  line 2: a1, sex F, language nl\n')
  expect(equivalent(text)).toEqual([
    'facescan users import list.csv --values sex:divers=F --values language:de=nl',
  ])
  expect(text).toMatch(/Run this command\? \(yes or no, default yes\): Imported 1 user/)
  expect(text).not.toContain('--mapping')
  expect(exitCode).toBe(0)
})

test('if the user enters a file name, the answers to the prompts are saved in that file, and a note shows how to use them', async () => {
  const rows = 'external_user_id,sex\na1,frau'
  const { text } = await answer(rows, 'users import FILE', ['2', ` ${home}/sex.json `, 'y'])
  expect(text).toContain('use the saved answers with --mapping sex.json\n')
  expect(JSON.parse(readFileSync(join(home, 'sex.json'), 'utf8'))).toMatchObject({
    values: { sex: { frau: 'M' } },
  })
})

test('with --save-mapping, the prompts about a file do not ask whether to save the settings', async () => {
  const rows = 'external_user_id,sex\na1,frau'
  const { text } = await answer(rows, `users import FILE --save-mapping ${home}/sex.json`, ['2', 'y'])
  expect(text).not.toContain('File for these settings')
  expect(text).not.toContain('use the saved answers')
  expect(JSON.parse(readFileSync(join(home, 'sex.json'), 'utf8'))).toMatchObject({
    values: { sex: { frau: 'M' } },
  })
})

test('in a dry run, the prompts about a file do not offer to save what the user selected', async () => {
  const { exitCode, text } = await answer('external_user_id,sex\na1,frau', 'users import FILE --dry-run', [
    '2',
  ])
  expect(equivalent(text)).toEqual(['facescan users import list.csv --dry-run --values sex:frau=M'])
  expect(text).not.toContain('File for these settings')
  expect(exitCode).toBe(0)
})

test('if the user declines the creation after the prompts about a file, no user is created and no file is written', async () => {
  const answers = ['2', 'missing/sex.json', `${home}/sex.json`, 'n']
  const { exitCode, text } = await answer('external_user_id,sex\na1,frau', 'users import FILE', answers)
  expect(text).toContain('cannot write missing/sex.json (no such file or directory)\n')
  expect(text).toContain('error: canceled; nothing was changed\n')
  expect(exitCode).toBe(12)
  expect(await people()).toBe(0)
  expect(existsSync(join(home, 'sex.json'))).toBe(false)
  expect(existsSync(join(home, 'list.users.csv'))).toBe(false)
})

test('the answer "<" to a prompt about a file returns to the previous prompt, and Enter keeps the earlier answer', async () => {
  const rows = 'external_user_id,sex,language\na1,divers,de'
  const { text } = await answer(rows, 'users import FILE', [
    '2',
    '3',
    '<',
    '<',
    '',
    '',
    `${home}/nl.json`,
    '<',
    '',
    'y',
  ])
  expect(text).toContain('back to the questions; nothing was changed\n')
  expect(text.match(/Number \(.*?\)/g)).toEqual([
    'Number (1 to 3)',
    'Number (1 to 6)',
    'Number (1 to 6, Enter keeps nl)',
    'Number (1 to 3, Enter keeps F)',
    'Number (1 to 6, Enter keeps nl)',
  ])
  expect(text).toContain('Enter: do not save), Enter keeps nl.json:')
  expect(new Set(equivalent(text)).size).toBe(1)
  expect(text).toContain('Imported 1 user')
  expect(readFileSync(join(home, 'nl.json'), 'utf8')).toContain('"nl"')
})

test.each([
  ['users import FILE --dry-run', 'external_user_id,sex\na1,frau', '--values sex:frau=F'],
  ['metrics --users FILE', 'Number,sex\na1,frau', '--map Number=external_user_id'],
])(
  'after the prompts about its file, %j shows the equivalent command and does not ask for a confirmation',
  async (line, rows, flags) => {
    const { text } = await answer(rows, line, ['1', ''])
    expect(equivalent(text)).toEqual([`facescan ${line.replace('FILE', 'list.csv')} ${flags}`])
    expect(text).not.toContain('Run this command?')
    expect(await people()).toBe(0)
  },
)

test('if the command line contains --, the suggested command has the flags from the prompts in front of it', async () => {
  const rows = 'external_user_id,sex\na1,frau'
  const { text } = await answer(rows, 'users import --dry-run -- FILE', ['1', ''])
  expect(equivalent(text)).toEqual(['facescan users import --dry-run --values sex:frau=F -- list.csv'])
})

test('if only one choice is possible, a yes-or-no question is shown below the description of the problem, and "no" ends the command', async () => {
  const rows = 'external_user_id,birth_date,sex\na1,13.03.1980,frau'
  const problem = 'dates in column "birth_date" are in the format DD.MM.YYYY\n'
  const question = 'Date format in birth_date: 13.03.1980 is 1980-03-13? (yes or no, default yes): '
  const accepted = await answer(rows, 'users import FILE --dry-run', ['', '1', ''])
  expect(accepted.text).toContain(`${problem}${question}Meaning of "frau"`)
  expect(equivalent(accepted.text)).toEqual([
    'facescan users import list.csv --dry-run --date-format DD.MM.YYYY --values sex:frau=F',
  ])
  const refused = await answer(rows, 'users import FILE --dry-run', ['n'])
  expect(refused.exitCode).toBe(12)
  expect(refused.text).toMatch(/canceled; nothing was changed\nhint: Correct the file, then run the same/)
})

test('a prompt with many choices lists the likely choices, and "something else" searches all choices', async () => {
  const rows = 'external_user_id,lookup_key,value\na1,weight,72'
  const line = 'answers import FILE --dry-run'
  const searched = await answer(rows, line, ['2', 'europe/am', '1', ''])
  expect(searched.text).toMatch(/\n {2}1\. UTC\n {2}2\. something else\nNumber/)
  expect(equivalent(searched.text)).toEqual([
    'facescan answers import list.csv --dry-run --timezone Europe/Amsterdam',
  ])
  const back = await answer(rows, line, ['2', '<', '1', ''])
  expect(back.text.match(/1\. UTC\n {2}2\. something else\n/g)).toHaveLength(2)
  expect(equivalent(back.text)).toEqual(['facescan answers import list.csv --dry-run --timezone UTC'])
})

test('after its prompts about users and answers, "users import --with-answers" shows one command with the chosen flags and asks for one confirmation', async () => {
  const rows = 'external_user_id,sex,weight,heigth\na1,frau,72,180'
  const line = 'users import FILE --with-answers --timezone UTC'
  const { text } = await answer(rows, line, ['1', '1', `${home}/both.json`, 'y'])
  expect(equivalent(text)).toEqual([
    'facescan users import list.csv --with-answers --timezone UTC --ignore-columns heigth --values sex:frau=F',
  ])
  expect(text.match(/File for these settings|Run this command/g)).toHaveLength(2)
  expect(text).toContain('imported 1 answer')
  expect(JSON.parse(readFileSync(join(home, 'both.json'), 'utf8'))).toMatchObject({
    ignore_columns: ['heigth'],
    values: { sex: { frau: 'F' } },
  })
})

test('if the user chooses a sheet that must be corrected, the command ends and reports the problem of that sheet', async () => {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = ['external_user_id', 'birth_date', 'a1', '29-02-84'].map(cell)
  const sheets = [
    { name: 'Notes', state: 'hidden', rows: '' },
    { name: 'Day', rows: `<row>${rows[0]}${rows[1]}</row><row>${rows[2]}${rows[3]}</row>` },
  ]
  writeFileSync(join(home, 'list.xlsx'), workbook({ sheets }))
  const line = `users import ${home}/list.xlsx`
  const { exitCode, stderr } = await machine.facescan(line, { terminal: true, columns: 200, answers: ['1'] })
  expect(stderr).toMatch(/Number \(1 to 2\): error: list.xlsx cannot be read; nothing was sent\n/)
  expect(stderr).toContain('error: column "birth_date" has dates with a two-digit year, such as 29-02-84')
  expect(exitCode).toBe(2)
})

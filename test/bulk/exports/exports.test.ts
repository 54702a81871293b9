import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createMachine, type Machine } from '../../helpers/facescan.ts'

const folder = join(import.meta.dirname, 'files')

/** The rows with values in each workbook, as read by a program other than facescan. */
const workbooks: Record<string, string[][]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'cells.json'), 'utf8'),
)

/** Returns the rows below the header of the workbook from which an export was made. */
function rowsOf(name: string): string[][] {
  const rows = workbooks[name.replace(/\..*/, '')] ?? []
  return rows.slice(rows.findIndex((row) => row.filter(Boolean).length > 1) + 1)
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''))
}

/** A new machine with an exported file, and with a list of the user IDs in the file. */
function prepare(name: string) {
  const machine = createMachine()
  const [path, list] = [join(machine.home, name), join(machine.home, 'list.csv')]
  copyFileSync(join(folder, name), path)
  const rows = rowsOf(name)
  writeFileSync(list, ['external_user_id', ...new Set(rows.map(([id]) => id))].join('\n'))
  return { machine, path, rows, list }
}

/** Runs a command without flags, and then the command that the error message suggests. */
async function runTwice(machine: Machine, words: readonly string[]) {
  const first = await machine.facescan(words)
  expect(first.exitCode, first.stderr).toBe(2)
  const shown = /then run: facescan (.*)/.exec(first.stderr)?.[1] ?? first.stderr
  const second = await machine.facescan(wordsOf(shown))
  expect(second.exitCode, second.stderr).toBe(0)
  expect(shown).toContain('--ids keep')
  return shown
}

/** The requested columns of a command's CSV output, as sorted lines. No value contains a comma, so lines are split at commas. */
async function table(machine: Machine, line: string, fields: readonly string[]): Promise<string[]> {
  const { exitCode, stdout, stderr } = await machine.facescan(`${line} -o csv`)
  expect(exitCode, stderr).toBe(0)
  const [header = [], ...rows] = stdout
    .trim()
    .split('\r\n')
    .map((row) => row.split(','))
  return rows.map((row) => fields.map((field) => row[header.indexOf(field)]).join()).sort()
}

test('the hint about 80 unknown columns with long names contains a command that works', async () => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  const columns = Array.from({ length: 80 }, (_, at) => `How satisfied are you with item ${at} of the survey`)
  const path = join(machine.home, 'survey.csv')
  writeFileSync(path, `external_user_id,weight,${columns.join()}\n4711,72${',3'.repeat(80)}\n`)
  const words = ['answers', 'import', path, '--timezone', 'UTC', '--yes']
  const shown = /then run: facescan (.*)/.exec((await machine.facescan(words)).stderr)?.[1] ?? ''
  expect(await machine.facescan(wordsOf(shown))).toMatchObject({ exitCode: 0 })
})

describe('files exported by other programs', () => {
  const staff = readdirSync(folder).filter((name) => name.startsWith('staff'))
  const answers = readdirSync(folder).filter((name) => name.startsWith('answers'))

  test.each(staff)(
    '"users import" reads %s, exported by another program, with the flags that the first error suggests',
    async (name) => {
      const { machine, path, rows, list } = prepare(name)
      const shown = await runTwice(machine, ['users', 'import', path])
      expect(shown.includes('--date-format')).toBe(!name.endsWith('.xlsx'))
      expect(shown.includes('--values sex:V=F,M=M')).toBe(name.startsWith('staff-nl'))
      const sexes: Record<string, string> = { V: 'F', M: 'M', Female: 'F', Male: 'M' }
      const expected = rows.map(
        ([id, , date, sex = '', language = '']) => `${id},${date},${sexes[sex]},${language.toLowerCase()}`,
      )
      const fields = ['external_user_id', 'birth_date', 'sex', 'language']
      expect(await table(machine, `users get --users ${list} --ids keep`, fields)).toEqual(expected.sort())
    },
  )

  test.each(answers)(
    '"answers import" reads %s, exported by another program, with the flags that the first error suggests',
    async (name) => {
      const { machine, path, rows, list } = prepare(name)
      expect((await machine.facescan(`users import ${list} --ids keep`)).exitCode).toBe(0)
      const shown = await runTwice(machine, ['answers', 'import', path])
      expect(shown.includes('--timezone')).toBe(name.startsWith('answers-wide'))
      const keys = ['height', 'weight', 'hours_sport_week', 'smoking']
      const expected = name.startsWith('answers-wide')
        ? rows.flatMap(([id, , ...values]) =>
            values.flatMap((value, at) => (value === '' ? [] : [`${id},${keys[at]},${value}`])),
          )
        : rows.map(([id, key, value]) => `${id},${key},${value}`)
      const fields = ['external_user_id', 'question_lookup_key', 'answer']
      expect(await table(machine, `answers list --users ${list} --ids keep`, fields)).toEqual(expected.sort())
    },
  )
})

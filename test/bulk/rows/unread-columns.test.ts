import { describe, expect, it } from 'vitest'
import type { UnclearFile } from '../../../src/bulk/questions.ts'
import { check } from '../import-input.ts'
import { usersOf } from '../lists/users-of.ts'

/** The problems, the labels of the prompts, and the suggested flags for a file that cannot be read. */
async function unclear(reading: Promise<unknown>) {
  const { questions, flags } = (await reading.catch((cause: unknown) => cause)) as UnclearFile
  return {
    problems: questions.map(({ problem }) => problem),
    labels: questions.flatMap(({ prompts = [] }) => prompts.map(({ label }) => label)),
    flags,
    // On a terminal, the prompts are shown without the list of problems.
    hidesProblems: questions.every(({ isPlain }) => isPlain === true),
  }
}

describe('columns of an answer import that are not read', () => {
  it('if a column contains numbers, a question about it shows the column name once, together with the first number', async () => {
    const text = 'external_user_id,height,a,pulse\na,1,x,\nb,1,x,-3\nc,1,x,4\n'
    expect(await unclear(check(text))).toEqual({
      problems: ['"pulse" contains numbers but is not a field that facescan reads; map or ignore it'],
      labels: ['Column "pulse" (-3) is'],
      flags: '--ignore-columns pulse',
      hidesProblems: true,
    })
  })

  it('one question covers all columns that contain numbers', async () => {
    expect(await unclear(check('external_user_id,height,a,b\na,1,"72 kg",\nb,1,,"7,5"\n'))).toEqual({
      problems: ['"a", "b" contain numbers but are not fields that facescan reads; map or ignore them'],
      labels: ['Column "a" (72 kg) is', 'Column "b" (7,5) is'],
      flags: '--ignore-columns a,b',
      hidesProblems: true,
    })
    expect((await unclear(check('external_user_id,height,a,b\na,1,3,4\n'))).flags).toBe(
      '--ignore-columns a,b',
    )
  })

  it('if the name of a column with numbers contains a lookup key, the question asks whether the column contains answers for this key', async () => {
    const flags = `--map 'weight at home=weight' or --ignore-columns 'weight at home'`
    expect(await unclear(check('external_user_id,height,weight at home\na,1,61\n'))).toEqual({
      problems: [`column "weight at home" may be weight; add ${flags}`],
      labels: ['Column "weight at home" (61) is'],
      flags: '',
      hidesProblems: true,
    })
  })

  it('if two columns contain the same lookup key, the question about the second column suggests ignoring it', async () => {
    const text = 'external_user_id,weight,height,weight at home\na,1,2,61\n'
    expect((await unclear(check(text))).flags).toBe(`--ignore-columns 'weight at home'`)
  })

  it('if only one column of a file has answers, the prompt for this column does not offer to ignore the column', async () => {
    expect(await unclear(check('external_user_id,pulse\na,61\n'))).toMatchObject({
      problems: [expect.stringContaining('"pulse" contains numbers')],
      flags: '',
    })
  })

  it.each(['2020-01-01', 'a1', 'x', ''])(
    'a column is ignored without a question if it contains %j',
    async (text) => {
      const { plan } = await check(`external_user_id,height,note\na,1,${text}\n`)
      expect(plan).toMatchObject({ answers: 1, ignored_columns: ['note'] })
    },
  )
})

describe('columns of a list of users that are not read', () => {
  it('for a list of users, the prompt about a column of numbers contains the name of the column', async () => {
    expect(await unclear(usersOf('external_user_id,sheets\nA1,3\n'))).toEqual({
      problems: ['"sheets" contains numbers but is not a field that facescan reads; map or ignore it'],
      labels: ['Column "sheets" (3) is'],
      flags: '--ignore-columns sheets',
      hidesProblems: true,
    })
  })

  it.each(['Height (cm)', 'sheets,Height (cm)'])(
    'if a list of users has the columns %s with numbers, the question names the command that saves answers, also on a terminal',
    async (names) => {
      const row = `A1,${names.includes('sheets') ? '3,' : ''}180`
      const { problems, hidesProblems } = await unclear(usersOf(`external_user_id,${names}\n${row}\n`))
      expect(hidesProblems).toBe(false)
      expect(problems).toEqual([expect.stringMatching(/facescan users import .*--with-answers/)])
    },
  )

  it.each(['', '_line,_column,_code,_message'])(
    'a question asks whether a column with dates is the date of birth, also in a rejects file (%j)',
    async (names) => {
      const added = names === '' ? ['', ''] : [`,${names}`, ',2,a,b,c']
      const text = `external_user_id,Datum${added[0]}\nA1,1990-01-02${added[1]}\n`
      expect((await unclear(usersOf(text))).problems).toEqual([
        'column "Datum" may be birth_date; add --map Datum=birth_date or --ignore-columns Datum',
      ])
    },
  )

  it('in a rejects file of an import of answers, a column with numbers is ignored', async () => {
    const text = 'external_user_id,sheets,_line,_column,_code,_message\nA1,3,2,a,b,c\n'
    expect(await usersOf(text)).toEqual(['2 A1'])
  })

  it('a column that is not read can contain letters of an unknown encoding', async () => {
    expect(await usersOf(Buffer.from('external_user_id,Name\nA1,Zoë\n', 'latin1'))).toEqual(['2 A1'])
  })

  it.each(['utf8', 'latin1'] as const)(
    'a column with numbers in a %s file is ignored without a question by a command that does not import users',
    async (encoding) => {
      const bytes = Buffer.from('external_user_id,sheets,name\nA1,3,Zoë\n', encoding)
      expect(await usersOf(bytes, 'list.csv', {}, 'list')).toEqual(['2 A1'])
    },
  )
})

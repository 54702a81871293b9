import { describe, expect, it } from 'vitest'
import { UnclearFile } from '../../../src/bulk/questions.ts'
import { rowsOf, workbook } from '../../helpers/workbook.ts'
import { check } from '../import-input.ts'
import { usersOf } from '../lists/users-of.ts'

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

/**
 * For a file that cannot be read without more flags: returns the first question about the file, the prompt of the question, and the
 * suggested flags.
 */
async function question(text: string | Buffer, settings = {}, name = 'answers.csv') {
  const error: unknown = await check(text, settings, { name }).catch((cause: unknown) => cause)
  if (!(error instanceof UnclearFile)) throw error
  const [{ problem, prompts: [prompt] = [] } = { problem: '' }] = error.questions
  return { problem, prompt, flags: error.flags }
}

/** The column names that an error lists. */
async function columnsOf(text: string, settings = {}): Promise<string | undefined> {
  const { problem } = await question(text, settings)
  return /no column is named external_user_id or user_id; the columns are (.*)/.exec(problem)?.[1]
}

describe('the delimiter of a file without a column of user IDs', () => {
  const columns = '"who", "height", "a,b"'
  it.each([
    ['all rows', 'who;height;a,b\nx y;1;\n', columns],
    ['all rows except lines of spaces', 'who;height;a,b\nx y;1;\n  \n', columns],
    ['all rows except rows with a stray quote', 'who;height;a,b\nx"y;1;2;3\nz y;1;\n', columns],
    ['all rows except lines above the header', 'Survey\nwho;height;a,b\nx y;1;\n', columns],
    ['all rows except for empty cells at their end', 'who;height;a,b\nx y;1;;;\n', columns],
    ['all rows, although other delimiters are in some rows', 'who;height;a,b\nx y;1;\nz y,3;3;\n', columns],
    [
      'all rows, although rows have more cells with another delimiter',
      'who;a,b\nx y;1,2;3\n',
      '"who;a", "b"',
    ],
  ])(
    'the delimiter that splits %s into the same number of cells is chosen: %j',
    async (_, text, expected) => {
      expect(await columnsOf(text)).toBe(expected)
    },
  )

  it('if two delimiters are possible, the delimiter that leaves the fewest lines above the header is used', async () => {
    expect(await columnsOf('Export, all\nwho;a,b\nx y;1,2\n')).toBe('"Export", "all"')
  })

  it('if two delimiters are equally likely, a prompt shows the columns for each of them', async () => {
    const { problem, prompt, flags } = await question('who;a,b\nx y;1,2\n')
    expect(problem).toBe('the delimiter is not clear')
    expect(flags).toBe('')
    expect(prompt).toEqual({
      label: 'Columns',
      choices: [
        { name: 'line 1: who;a | b', set: { delimiter: ',' } },
        { name: 'line 1: who | a,b', set: { delimiter: ';' } },
      ],
    })
  })

  it('a prompt shows at most 60 characters of the list of column names', async () => {
    const { prompt } = await question(`who;a,${'b'.repeat(100)}\nx y;1,2\n`)
    expect(prompt?.choices[0]?.name).toBe(`line 1: who;a | ${'b'.repeat(52)}`)
  })

  it('a file with one column is read although some of its cells contain a delimiter', async () => {
    expect(await columnsOf('name\n"Lee, Ann"\nBob\n')).toBe('"name"')
  })

  it('--delimiter is used even if each line contains another delimiter', async () => {
    expect(await columnsOf('who;height\nx y;1\n', { delimiter: ',' })).toBe('"who;height"')
  })

  it('the cells of a workbook are not split although each of them contains a delimiter', async () => {
    const rows = rowsOf([['who;height'], ['x y;1']])
    const { problem } = await question(workbook({ sheets: [{ rows }] }), {}, 'answers.xlsx')
    expect(problem).toContain('the columns are "who;height"')
  })
})

describe('the delimiter of a file with a column of user IDs', () => {
  it.each([
    ['external_user_id;a,b\nA1;x,y\n', ['2 A1']],
    [`user_id;a,b\n${uuid};x,y\n`, [`2 ${uuid}`]],
    ['external_user_id;a,b,c\nA1;x;y\nA2;z\n', ['2 long_row', '3 A2']],
  ])(
    'the delimiter that separates the column of user IDs is used, although another delimiter is possible: %j',
    async (text, users) => {
      expect(await usersOf(text)).toEqual(users)
    },
  )
})

describe('a file that looks like JSON', () => {
  it.each(['who {\nx y\n', 'who{\nx y\n'])(
    'a file whose first line ends with a brace is a table: %j',
    async (text) => {
      expect(await columnsOf(text)).toMatch(/^"who ?\{"$/)
    },
  )

  it.each([
    ['answers.json', "jq -c '.[]' answers.json > answers.jsonl"],
    ['staff.2026.json', "jq -c '.[]' staff.2026.json > staff.2026.jsonl"],
    ['-', "jq -c '.[]'"],
  ])('the error for a JSON array in %s shows the command that converts it: %s', async (name, command) => {
    const checking = check('[ {"external_user_id":"a","height":1} ]\n', {}, { name })
    const hint = `Convert the file: ${command}`
    await expect(checking).rejects.toMatchObject({
      message: expect.stringContaining('is a JSON array'),
      details: { hint },
    })
  })
})

describe('the header of a file', () => {
  it('a prompt for the header offers two lines: the first line, and a later line that contains the name of a user column', async () => {
    const { problem, prompt, flags } = await question('Survey;2026\nexternal_user_id;height\na;1\n')
    expect(problem).toBe('the header is probably on line 2, because line 1 has no user column')
    expect(flags).toBe('--header-line 2')
    expect(prompt).toEqual({
      label: 'Header',
      choices: [
        { name: 'line 2: external_user_id | height', set: { headerLine: 2 } },
        { name: 'line 1: Survey | 2026', set: { headerLine: 1 } },
      ],
    })
  })

  it.each([
    [
      'the line with the most cells if the first line has at most half as many',
      'A;B\nwho;x;height;y\na b;c;1;d\n',
      '--header-line 2',
    ],
    ['the first line if it has more than half as many cells as other lines', 'A;B\nwho;x;y\na b;1;2\n', ''],
  ])('in a file without a user column, %s is taken as the header', async (_, text, flags) => {
    expect((await question(text)).flags).toBe(flags)
  })

  it.each([
    [1, '"Survey", "Week"'],
    [2, '"who", "height"'],
  ])('--header-line %i reads the header from this line', async (headerLine, columns) => {
    expect(await columnsOf('Survey;Week\nwho;height\nx y;1\n', { headerLine })).toBe(columns)
  })

  it('if --header-line is set, no other line is suggested', async () => {
    const text = 'Survey;Week\nexternal_user_id;height\nx y;1\n'
    expect(await columnsOf(text, { headerLine: 1 })).toBe('"Survey", "Week"')
  })

  it('--header-line is refused if no row starts on this line', async () => {
    const checking = check('external_user_id,height\na,1\n', { headerLine: 9 })
    await expect(checking).rejects.toThrow('--header-line 9: no row of answers.csv starts on this line')
  })

  it('a line that contains only a user column is the header, even if the rows below it have more cells', async () => {
    expect(await usersOf('external_user_id;\nA1;x\nA2;\n')).toEqual(['2 long_row', '3 A2'])
  })

  it('if the lines of a file end with a vertical tab, the file is refused, and the error contains the code of the character', async () => {
    await expect(check('external_user_id,height\va,1\v')).rejects.toThrow(
      'the lines end with U+000B instead of a line feed',
    )
  })
})

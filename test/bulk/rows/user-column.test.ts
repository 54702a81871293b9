import { describe, expect, it } from 'vitest'
import { UnclearFile } from '../../../src/bulk/questions.ts'
import { check } from '../import-input.ts'

const uuid = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

/** The error for a file that cannot be read without more flags. */
async function unclear(text: string, settings = {}): Promise<UnclearFile> {
  const error: unknown = await check(text, settings).catch((cause: unknown) => cause)
  if (!(error instanceof UnclearFile)) throw new Error('the file can be read')
  return error
}

/** The prompts for a file: each label, with its choices. */
async function promptsFor(text: string) {
  const { questions } = await unclear(text)
  return questions.flatMap(({ prompts = [] }) => prompts)
}

describe('the column with the user IDs', () => {
  it.each([
    ['has IDs that are not UUIDs', 'User Id,height\nA1,1\n', '--map "User Id=external_user_id"'],
    ['has one ID that is not a UUID', 'User Id,height\nUUID,1\nA1,2\n', '--map "User Id=external_user_id"'],
    ['is beside user_id', 'user_id,User Id,height\nUUID,A1,1\n', '--map "User Id=external_user_id"'],
  ])('a column named like user_id is read as external user IDs if it %s', async (_, text, flags) => {
    const content = text.replaceAll('UUID', uuid)
    expect((await unclear(content)).flags).toBe(flags.replaceAll('"', "'"))
    const { plan } = await check(content, { map: { 'User Id': 'external_user_id' } })
    expect(plan.answers).toBeGreaterThan(0)
  })

  it('a column with a name similar to user_id is used as the user column if each of its cells is a UUID or empty', async () => {
    const { plan } = await check(`User Id,height\n${uuid},1\n,2\n`)
    expect(plan.problems).toMatchObject([{ line: 3, code: 'user_missing' }])
    expect(plan.answers).toBe(1)
  })

  it('if a file has a column user_id and a column "User Id", --ignore-columns "User Id" ignores only the second', async () => {
    const settings = { ignoreColumns: ['User Id'] }
    const { plan } = await check(`user_id,User Id,height\n${uuid},A1,1\n`, settings)
    expect(plan.columns.map((column) => column.read_as)).toEqual(['user_id', 'height'])
  })

  it('a file is refused if it has two columns named like user_id that contain UUIDs', async () => {
    await expect(check(`user_id,User Id,height\n${uuid},${uuid},1\n`)).rejects.toThrow(
      'the header has user_id twice: columns 1 ("user_id") and 2 ("User Id")',
    )
  })

  it('if a file has user IDs, a column that may contain external user IDs is not read', async () => {
    const { plan } = await check(`user_id,Employee ID,height\n${uuid},E1,1\n`)
    expect(plan).toMatchObject({ answers: 1, ignored_columns: ['Employee ID'] })
  })

  it.each([
    ['contains names of people', 'Employee No,Employee ID,height\nAnn Smith,E1,1\nBob,E2,2\n', 'Employee ID'],
    ['contains a letter after a space', 'Foo,Bar,height\nA1 b,x1,1\nA2 b,x2,2\n', 'Bar'],
    ['contains a letter before a space', 'Foo,Bar,height\nb A1,x1,1\nb A2,x2,2\n', 'Bar'],
    ['contains a text without digits', 'Foo,Bar,height\nA1,x1,1\nA,x2,2\n', 'Bar'],
    ['has an empty cell', 'Foo,Bar,height\nA1,x1,1\n,x2,2\n', 'Bar'],
    ['contains the same ID twice', 'Foo,Bar,height\nA1,x1,1\nA1,x2,2\n', 'Bar'],
    ['starts with an underscore', '_id,Employee ID,height\nf5a1,E1,1\n', 'Employee ID'],
    ['has no name', '"",Bar,height\nA1,x1,1\nA2,x2,2\n', 'Bar'],
  ])('if the first column %s, another column is suggested for the user IDs', async (_, text, column) => {
    const map = column.includes(' ') ? `'${column}=external_user_id'` : `${column}=external_user_id`
    expect((await unclear(text)).flags).toBe(`--map ${map}`)
  })

  it('if --ignore-columns names the first column, another column is suggested for the user IDs', async () => {
    const error = await unclear('Foo,Bar,height\nA1,x1,1\nA2,x2,2\n', { ignoreColumns: ['Foo'] })
    expect(error.flags).toBe('--map Bar=external_user_id')
  })

  it.each([
    'Employee ID,height\nAnn Smith,1\nBob,2\n',
    'Foo,_line,height\nx y,2,1\nz q,3,2\n',
    'Foo,When,height\nx y,2020-01-01,1\nz q,2021-01-01,2\n',
  ])('no column is suggested as user IDs if no column contains IDs: %j', async (text) => {
    expect((await unclear(text)).flags).toBe('')
  })

  it('the prompt for the user ID column offers each named column of unknown meaning whose cells are not all dates', async () => {
    const text = 'Foo,,When,Since,Empty,height\nx y,,2020-01-01,2020-01-01,,1\nz q,,,A 2,,2\n'
    const { questions } = await unclear(text)
    const columns = '"Foo", "When", "Since", "Empty", "height"'
    expect(questions.map(({ problem }) => problem)).toEqual([
      `no column is named external_user_id or user_id; the columns are ${columns}`,
    ])
    const [prompt] = questions[0]?.prompts ?? []
    expect(prompt?.choices).toEqual([
      { name: 'Foo: x y', set: { map: { Foo: 'external_user_id' } } },
      { name: 'Since: 2020-01-01', set: { map: { Since: 'external_user_id' } } },
      { name: 'Empty: ', set: { map: { Empty: 'external_user_id' } } },
    ])
  })

  it('a file with one column of names is refused, because it has no user IDs', async () => {
    expect((await unclear('name\nAnn Lee\n')).message).toContain('the columns are "name"')
  })

  it('if the first line (AB12) looks like the lines below it (CD34), it is refused, because it is data and not a header', async () => {
    await expect(check('AB12,x\nCD34,y\n')).rejects.toThrow(
      'the first line contains data instead of a header',
    )
  })
})

describe('the meaning of other columns', () => {
  it.each(['Question', 'Answer'])(
    'a column named "%s" is not read if the file has a column for each lookup key',
    async (name) => {
      const { plan } = await check(`external_user_id,height,${name}\na,1,x\n`)
      expect(plan).toMatchObject({ answers: 1, ignored_columns: [name] })
    },
  )

  it('each choice of the prompt for a column sets --map, but the choice not to read the column sets --ignore-columns', async () => {
    const [prompt] = await promptsFor('external_user_id,pulse,height\na,61,1\n')
    expect(prompt?.label).toBe('Column "pulse" (61) is')
    const name =
      'external_user_id user_id lookup_key value timezone height weight smoking average_sleep_hours'
    expect(prompt?.choices).toEqual([
      { name: 'not read', set: { ignoreColumns: ['pulse'] } },
      ...name.split(' ').map((field) => ({ name: field, set: { map: { pulse: field } } })),
    ])
  })

  it('if the name of a column probably means a field, the column is suggested for this field even if its cells contain spaces', async () => {
    const { flags } = await unclear('external_user_id,lookup_key,Antwort\na,height,very good\n')
    expect(flags).toBe('--map Antwort=value')
  })

  it('the prompt for a column offers the probable lookup key first', async () => {
    const [prompt] = await promptsFor('external_user_id,Gewicht,height\na,61,1\n')
    expect(prompt?.choices.slice(0, 2).map(({ name }) => name)).toEqual(['weight', 'not read'])
  })

  it('the prompt for a column shows at most 30 characters of its first cell, and no cell if all are empty', async () => {
    const [prompt] = await promptsFor(`external_user_id,Gewicht,height\na,${'x'.repeat(31)},1\n`)
    expect(prompt?.label).toBe(`Column "Gewicht" (${'x'.repeat(30)}) is`)
    const [empty] = await promptsFor('external_user_id,Gewicht,height\na,,1\n')
    expect(empty?.label).toBe('Column "Gewicht" is')
  })

  it('a table with 16,384 columns is read', async () => {
    const names = Array.from({ length: 16_381 }, (_, n) => `,n${n}`)
    const { plan } = await check(`external_user_id,lookup_key,value${names.join('')}\n`)
    expect(plan.ignored_columns).toHaveLength(16_381)
  })

  it('a table with 16,385 columns is refused', async () => {
    await expect(check(`external_user_id${',x'.repeat(16_384)}\na\n`)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('the header has 16,385 columns; at most 16,384 are supported'),
    })
  })
})

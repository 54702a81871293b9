import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { brief, check } from '../import-input.ts'

const long = 'external_user_id,lookup_key,value\na,height,180\n'
const wide = 'external_user_id;height\na;180\n'
const answers = ['a height 180 Europe/Amsterdam']
const object = '{"external_user_id":"a","height":180}\n'

describe('the format of an input', () => {
  it.each([
    ['answers.jsonl', object],
    ['answers.NDJSON', object],
    ['answers.csv', object],
    ['-', ` \t${object}`],
    ['answers.jsonl.csv', long],
    ['jsonl', long],
    ['answers.tsv', long],
  ])('the format of the file %s is detected from its name and its first line: %j', async (name, text) => {
    const checked = await check(text, {}, { name })
    expect(checked.plan.format).toBe(text === long ? 'csv' : 'jsonl')
    expect(brief(await checked.answers())).toEqual(answers)
  })

  it.each(['answers.jsonl', 'answers.ndjson.gz', 'answers.JSONL.GZ'])(
    'a file named %s is read as JSON lines even if its first line is not an object',
    async (name) => {
      const text = `[1]\n{"external_user_id":"a","lookup_key":"height","value":180}\n`
      const checked = await check(name.endsWith('l') ? text : gzipSync(text), {}, { name })
      expect(checked.plan.problems).toMatchObject([{ line: 1, code: 'json_invalid' }])
      expect(brief(await checked.answers())).toEqual(answers)
    },
  )

  it.each([
    ['{"external_user_id":"a","lookup_key":"height"}', {}, 'long'],
    ['{"external_user_id":"a","value":1}', {}, 'long'],
    ['{}', {}, 'long'],
    ['{"external_user_id":"a","q":"height"}', { q: 'lookup_key' }, 'long'],
    ['{"external_user_id":"a","value":1}', { value: 'height' }, 'wide'],
    ['{"external_user_id":"a","height":1}', {}, 'wide'],
    // Invalid lines and lines without an answer do not determine whether a file is long or wide.
    ['{"external_user_id":"a"\n3\n{"external_user_id":"a","height":1}', {}, 'wide'],
    ['{"external_user_id":"a","timezone":"UTC","_line":3,"":1}\n\n{"user_id":"a","height":1}', {}, 'wide'],
    ['{"external_user_id":"a","note":1}\n{"external_user_id":"a","value":1}', { note: '' }, 'long'],
    ['{"external_user_id":"a"}', {}, 'long'],
  ])(
    'the first JSON line that is clearly long or wide determines the form of the file: %s',
    async (text, map, form) => {
      const { plan } = await check(`${text}\n`, { map }, { name: 'answers.jsonl' })
      expect(plan.form).toBe(form)
    },
  )

  it.each([
    [999, 'wide'],
    [1000, 'long'],
  ])('a JSON lines file whose first %i lines are invalid is read in %s form', async (count, form) => {
    const { plan } = await check(`${'{\n'.repeat(count)}${object}`, {}, { name: 'answers.jsonl' })
    expect(plan.form).toBe(form)
  })
})

describe('the delimiter of an input', () => {
  it.each<[string, string, Record<string, string>?]>([
    [';', 'external_user_id;"a, b";height\na;x;1\n'],
    [';', 'external_user_id;lookup_key;value;note (x, y, z, and, more)\na;height;1;\n'],
    [';', 'external_user_id ; height ; weight (in kg, lb)\na;1;\n'],
    ['|', 'external_user_id|height|a,b;c\na|1|x\n'],
    [',', 'external_user_id,a;b;c;d,height\na,x,1\n'],
    [',', 'external_user_id,height\na,1\n'],
    ['\t', 'patient\tnote (a, b)\theight\nx\ty\t1\n', { patient: 'external_user_id' }],
  ])(
    'the delimiter %j is detected if it splits all rows into the same number of cells: %j',
    async (character, text, map) => {
      const { plan } = await check(text, { map })
      expect(plan.delimiter).toEqual({ character, from: 'header' })
    },
  )

  it.each([
    ['sep=;', ';'],
    ['SEP=|', '|'],
    ['"sep=\t"', '\t'],
  ])('the first line %j of a file sets the delimiter', async (line, character) => {
    const checked = await check(`${line}\n${wide.replaceAll(';', character)}`)
    expect(checked.plan.delimiter).toEqual({ character, from: 'sep line' })
    expect(brief(await checked.answers())).toEqual(answers)
  })

  it.each(['sep=1x', 'my_sep=;', 'my_sep=1', 'sep=', 'notes ['])(
    'the column name %j in the first line does not set the delimiter',
    async (name) => {
      const first = await check(`"${name}",external_user_id,lookup_key,value\nx,a,height,1\n`)
      expect(first.plan).toMatchObject({ answers: 1, ignored_columns: [name] })
      const last = await check(`external_user_id,lookup_key,value,${name}\na,height,1,x\n`)
      expect(last.plan).toMatchObject({ answers: 1, ignored_columns: [name] })
    },
  )

  it.each([
    [',', 'csv'],
    [';', 'csv'],
    ['|', 'csv'],
    ['\t', 'tsv'],
  ])('the format of a file whose cells are separated by %j is %s', async (character, format) => {
    expect((await check(long.replaceAll(',', character))).plan.format).toBe(format)
  })

  it.each(['tab', '\\t', '\t', '!', '~', ' ', '\x1f'])('--delimiter accepts %j', async (delimiter) => {
    const character = delimiter.length > 1 ? '\t' : delimiter
    const checked = await check(long.replaceAll(',', character), { delimiter })
    expect(checked.plan.delimiter).toEqual({ character, from: 'option' })
    expect(brief(await checked.answers())).toEqual(answers)
  })

  it.each(['"', 'é', '\x7f'])('a file is refused if its first line is sep=%s', async (character) => {
    await expect(check(`sep=${character}\n"external_user_id"height"\n`)).rejects.toThrow(
      `the "sep=" line must be one ASCII character or "tab", got "${character}"`,
    )
  })

  it.each(['', 'ab', '"', '\n', '\r', '\0', '\x7f', 'é', '€', '😀'])(
    '--delimiter rejects %j',
    async (delimiter) => {
      await expect(check(long, { delimiter })).rejects.toThrow(
        `--delimiter must be one ASCII character or "tab", got "${delimiter}"`,
      )
    },
  )
})

describe('the header of result files', () => {
  it.each([
    ['external_user_id,lookup_key,value\n', 'a,hight,1\n'],
    ['\n\nexternal_user_id,lookup_key,value\n', 'a,hight,1\n'],
    ['sep=;\r\nexternal_user_id;"lookup_key"; value \r\n', 'a;hight;1\r\n'],
  ])('the result files have the header of the input: %j', async (header, row) => {
    const text = await (await check(`${header}${row}`)).rejectsText()
    expect(text?.split(/[,;]_line/)[0]).toBe(header.replace(/\r?\n$/, ''))
  })

  it.each(['', '\n\n', 'Survey\n', '\nSurvey\n\n'])(
    'if an input with CRLF has the text %j above its header, the result files also have CRLF',
    async (above) => {
      const text = `${above}external_user_id,lookup_key,value\na,hight,1\n`
      const rejects = await (await check(text.replaceAll('\n', '\r\n'))).rejectsText()
      expect(rejects?.split('\r\n').join('')).not.toMatch(/[\r\n]/)
      expect(rejects).toMatch(/,_message\r\n/)
    },
  )
})

describe('the names in a header', () => {
  it('the column name "note ""A""" is shown as note "A"', async () => {
    const { plan } = await check('external_user_id,lookup_key,value,"note ""A"""\na,height,1,\n')
    expect(plan.ignored_columns).toEqual(['note "A"'])
  })

  it('a file is refused if the last quotation mark of its header is not closed', async () => {
    await expect(check('external_user_id,lookup_key,"value')).rejects.toThrow(
      'the header has a misplaced quote',
    )
  })

  it('a header is found below 100 KiB of other lines, but not below 300 KiB', async () => {
    const title = `Title ${'x'.repeat(10_000)}\n`
    expect((await check(`${title.repeat(10)}${long}`)).plan).toMatchObject({ answers: 1 })
    await expect(check(`${title.repeat(30)}${long}`)).rejects.toMatchObject({ exitCode: 2 })
  })
})

describe('an input file without a header', () => {
  it.each(['', '\n\r\n', 'sep=;\n', 'sep=;', '\ufeff'])(
    'a file without a header is refused as empty: %j',
    async (text) => {
      await expect(check(text)).rejects.toThrow('answers.csv is empty')
    },
  )

  it('if a UTF-16 file has no byte order mark, it is refused at its first NUL byte', async () => {
    const bytes = Buffer.from(long, 'utf16le').swap16()
    await expect(check(bytes)).rejects.toThrow('answers.csv contains a NUL byte at offset 0')
  })
})

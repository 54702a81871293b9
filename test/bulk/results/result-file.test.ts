import { existsSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { orUndefined } from '../../../src/base/functions.ts'
import { checkFile } from '../../../src/bulk/check.ts'
import { openInput } from '../../../src/bulk/open-input.ts'
import fc from '../../helpers/fast-check.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { rowsOf, workbook } from '../../helpers/workbook.ts'
import { brief, check, resultsOf } from '../import-input.ts'

const runs = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 200)
const header = 'external_user_id,lookup_key,value,note'

/** Paths of the files that this process has open in the temporary directory. */
function openFiles(): (string | undefined)[] {
  if (!existsSync('/proc/self/fd')) return []
  return readdirSync('/proc/self/fd')
    .map((fd) => orUndefined(() => readlinkSync(`/proc/self/fd/${fd}`)))
    .filter((path) => path?.startsWith(tmpdir()))
}

const withoutReasons = (text: string) => text.split('\n').map((line) => line.split(',').slice(0, 4).join(','))

describe('answers.rejects.csv', () => {
  it('answers.rejects.csv contains the original columns byte for byte, the line, and every reason', async () => {
    const rows = ['a,height,1,fine', '"b ""x""",hight, 1 ,"two, ü"', ',height,1,']
    const checked = await check(`${header}\n${rows.join('\n')}\n`)
    expect(await checked.rejectsText()).toBe(
      [
        `${header},_line,_column,_code,_message`,
        `${rows[1]},3,lookup_key,key_unknown,"unknown lookup key ""hight""; did you mean ""height""?"`,
        `${rows[2]},4,external_user_id,user_missing,the user ID is empty`,
        '',
      ].join('\n'),
    )
  })

  it('answers.rejects.csv exists only if a row was rejected, and only its owner can read it', async () => {
    const fine = await check(`${header}\na,height,1,\n`)
    expect(await fine.rejectsText()).toBeUndefined()
    expect(existsSync(join(fine.folder, 'answers.rejects.csv'))).toBe(false)
    const bad = await check(`${header}\na,height,x,\n`)
    await bad.rejectsText()
    expect(statSync(bad.rejects.path!).mode & 0o777).toBe(0o600)
  })

  it('an import of an unchanged answers.rejects.csv rejects its rows with the same errors', async () => {
    const text = `${header}\na"x,height,1,\nshort,height\nlong,height,1,,5\nb,hight,1,\n`
    const once = await check(text)
    const onceText = (await once.rejectsText())!
    const twice = await check(onceText)
    const codes = (checked: typeof once) => checked.plan.problems.map(({ code }) => code)
    expect(codes(once)).toEqual(['stray_quote', 'short_row', 'long_row', 'key_unknown'])
    expect(codes(twice)).toEqual(codes(once))
    expect(twice.plan).toMatchObject({ answers: 0, invalid: 4 })
    expect(withoutReasons((await twice.rejectsText())!).slice(0, 2)).toEqual(
      withoutReasons(onceText).slice(0, 2),
    )
    expect((await twice.rejectsText())!.split('\n')[0]).toBe(onceText.split('\n')[0])
  })

  it('answers.rejects.csv can be imported after its rows are fixed', async () => {
    const once = await check(`${header}\na,hight,1,\nb,weight,2,\n`)
    const fixed = await check((await once.rejectsText())!.replace('a,hight', 'a,height'))
    expect(brief(await fixed.answers())).toEqual(['a height 1 Europe/Amsterdam'])
    expect(fixed.plan).toMatchObject({ form: 'long', rows: 1, ignored_columns: ['note'] })
  })

  it('answers.rejects.csv keeps the delimiter, the sep= line, the newlines, and the byte order mark', async () => {
    const checked = await check('\ufeffsep=;\r\nexternal_user_id;lookup_key;value\r\na;height;1,5\r\n')
    const text = await checked.rejectsText()
    expect(text).toMatch(
      /^\ufeffsep=;\r\nexternal_user_id;lookup_key;value;_line;_column;_code;_message\r\na;height;1,5;3;/,
    )
    expect((await check(text!)).plan.problems).toMatchObject([{ line: 3, code: 'value_invalid' }])
  })

  it('answers.rejects.csv keeps CR as the line ending of the input', async () => {
    const checked = await check('external_user_id,lookup_key,value\ra,hight,1\rb,height,2\r')
    expect(await checked.rejectsText()).toMatch(/^[^\r\n]+_message\ra,hight,1,2,[^\r\n]+\r$/)
  })

  it('answers.rejects.csv contains only the invalid answers of a wide row', async () => {
    const checked = await check('external_user_id,height,weight,note\na,180,7O,\nb,1,2,\n', {
      map: { note: '' },
    })
    expect(await checked.rejectsText()).toMatch(/\na,,7O,,2,weight,value_invalid,/)
  })

  it('answers.rejects.csv escapes cells that a spreadsheet would evaluate, and an import unescapes them', async () => {
    const ids = ['=1+1', '@SUM(A1)', '+49', '-x', "'=1", '-5', 'plain']
    const bad = await check(`${header}\n${ids.map((id) => `"${id}",hight,1,`).join('\n')}\n`)
    const text = (await bad.rejectsText())!
    const cells = text
      .split('\n')
      .slice(1, -1)
      .map((line) => line.split(',')[0])
    expect(cells).toEqual(['"\'=1+1"', '"\'@SUM(A1)"', '"+49"', '"\'-x"', '"\'\'=1"', '"-5"', '"plain"'])
    const fixed = await check(text.replaceAll('hight', 'height'), { ids: 'exact' })
    expect((await fixed.answers()).map(({ user }) => user.id).sort()).toEqual([...ids].sort())
    const again = await check(text)
    expect(withoutReasons((await again.rejectsText())!)).toEqual(withoutReasons(text))
  })

  it('in answers.rejects.csv, a column name in _column is escaped if a spreadsheet would evaluate it', async () => {
    const checked = await check('external_user_id,lookup_key,@\na,height,x\n', { map: { '@': 'value' } })
    expect(await checked.rejectsText()).toMatch(
      /^external_user_id,lookup_key,'@,_line,_column,_code,_message\na,height,x,2,'@,value_invalid,/,
    )
  })

  it('a formula that was added to answers.rejects.csv is escaped in the rejects file of the next import', async () => {
    const result = `${header},_line,_column,_code,_message`
    const checked = await check(`${result}\n=1,hight,1,'=2,9,lookup_key,key_unknown,no\n`)
    expect(await checked.rejectsText()).toMatch(/_message\n'=1,hight,1,'=2,2,lookup_key,key_unknown,/)
  })

  it('answers.rejects.csv contains the displayed text of each cell of a workbook', async () => {
    const rows = [header.split(','), ['a', 'height', '<c s="1"><v>29293</v></c>', 'x'], ['b', 'height', 'y']]
    const sheets = [{ rows: rowsOf(rows) }]
    const checked = await check(workbook({ sheets, formats: ['d\\-m\\-yyyy'] }), {}, { name: 'answers.xlsx' })
    const lines = (await checked.rejectsText())!.split(/\r?\n/)
    expect(lines[1]).toMatch(/^a,height,1980-03-13,x,2,value,value_invalid,/)
    expect(lines[2]).toMatch(/^b,height,y,,3,value,value_invalid,/)
  })

  it('a row in answers.rejects.csv contains ten rejection reasons and the number of further reasons', async () => {
    const keys = Array.from({ length: 12 }, (_, n) => `key${n}`)
    const rowOf = (invalid: number) => keys.map((_, n) => (n < invalid ? `x${n}` : '')).join()
    const text = `external_user_id,${keys.join()}\na,${rowOf(10)}\nb,${rowOf(12)}\n`
    const checked = await check(text, {}, { knownKeys: keys })
    const columns = (await checked.rejectsText())!.split('\n').map((line) => /key0; [^,]*/.exec(line)?.[0])
    const ten = keys.slice(0, 10).join('; ')
    expect(columns).toEqual([undefined, ten, `${ten}; and 2 more`, undefined])
  })

  it('answers.rejects.csv contains a rejected row once, even if the rows of its user are not adjacent', async () => {
    const checked = await check(`${header}\na,hight,1,\na,height,1,\nb,height,2,\na,height,3,\n`)
    expect((await checked.answers()).map(({ user }) => user.id)).toEqual(['a', 'a', 'b'])
    expect(withoutReasons((await checked.rejectsText())!)).toEqual([header, 'a,hight,1,', ''])
  })

  it('a user ID stays unchanged if its row in answers.rejects.csv is fixed and imported', async () => {
    const id = fc.string({
      unit: fc.constantFrom('=', '-', '+', '@', "'", '"', ',', ' ', '5', 'a', 'ü'),
      minLength: 1,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 1, maxLength: 6 }), async (ids) => {
        const folder = temporaryFolder()
        const importing = async (text: string) => {
          const input = await openInput('-', Readable.from([Buffer.from(text)]))
          const checked = await checkFile(
            input,
            { batchSize: 10, timezone: 'UTC', ids: 'exact' },
            { knownKeys: ['height'] },
          )
          const found: string[] = []
          for await (const batch of checked.batches()) found.push(batch.user.id)
          checked.rejects.saveIn(resultsOf(folder, 'answers'))
          checked.close()
          input.close()
          return found
        }
        const rows = ids.map((text) => `"${text.replaceAll('"', '""')}",hight,1,`)
        await importing(`${header}\n${rows.join('\n')}\n`)
        const fixed = readFileSync(join(folder, 'answers.rejects.csv'), 'utf8').replaceAll(
          ',hight,',
          ',height,',
        )
        expect((await importing(fixed)).sort()).toEqual([...ids].sort())
      }),
      { numRuns: runs },
    )
  })

  it('answers.rejects.csv does not replace the input, a result file of another input, or an edited file', async () => {
    const folder = temporaryFolder()
    const rejectsOf = async (name: string, key: string) => {
      const checked = await check(`${header}\na,${key},1,\n`, {}, { name, folder })
      await checked.rejectsText()
      return basename(checked.rejects.path!)
    }
    expect(await rejectsOf('answers.csv', 'hight')).toBe('answers.rejects.csv')
    const first = readFileSync(join(folder, 'answers.rejects.csv'), 'utf8')
    expect(await rejectsOf('answers.txt', 'wait')).toBe('answers.rejects-2.csv')
    expect(await rejectsOf('answers.rejects-2.csv', 'smoke')).toBe('answers.rejects-3.csv')
    expect(readFileSync(join(folder, 'answers.rejects.csv'), 'utf8')).toBe(first)
    expect(await rejectsOf('answers.csv', 'heit')).toBe('answers.rejects.csv')
    writeFileSync(join(folder, 'answers.rejects.csv'), 'fixed by hand')
    expect(await rejectsOf('answers.csv', 'hight')).toBe('answers.rejects-4.csv')
    expect(readFileSync(join(folder, 'answers.rejects.csv'), 'utf8')).toBe('fixed by hand')
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('answers.rejects.csv is not deleted when the import is finished', async () => {
    const folder = temporaryFolder()
    const bad = `${header}\na,hight,1,\n`
    const over = await check(bad, {}, { folder })
    await over.rejectsText()
    over.results.finish(true)
    const again = await check(bad, {}, { folder })
    await again.rejectsText()
    expect(basename(again.rejects.path!)).toBe('answers.rejects-2.csv')
  })

  it('answers.rejects.csv is complete if it is larger than the memory buffer', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) => `user-${n},hight,1,${'x'.repeat(n % 40)}`)
    const before = openFiles()
    const checked = await check(`${header}\n${rows.join('\n')}\n`)
    const text = (await checked.rejectsText())!
    expect(withoutReasons(text).slice(1, -1)).toEqual(rows)
    checked.close()
    expect(openFiles().filter((path) => !before.includes(path))).toEqual([
      join(checked.folder, 'answers.csv'),
    ])
  })
})

describe('rows that are rejected by the service or have an unknown outcome', () => {
  it('the result files contain the cells of rejected and unknown rows unchanged', async () => {
    const long = await check(`${header}\nb,height,1,"x\ny"\na,weight,2,\n`)
    const unknown = long.unknown
    for (const answer of await long.answers()) {
      unknown.add(answer, [{ code: 'timeout', message: 'no answer' }], [answer.lookup_key])
    }
    unknown.saveIn(long.results)
    expect(unknown.rows).toBe(2)
    expect(readFileSync(join(long.folder, 'answers.unknown.csv'), 'utf8')).toBe(
      `${header},_line,_column,_code,_message\nb,height,1,"x\ny",2,,timeout,no answer\na,weight,2,,4,,timeout,no answer\n`,
    )
    const wide = await check('external_user_id,height,weight\na,180,70\n')
    const [first] = await wide.answers()
    wide.rejects.add(first!, [{ code: 'refused', message: 'no' }], [first!.lookup_key])
    expect(await wide.rejectsText()).toContain('\na,180,,2,,refused,no\n')
  })

  it('in answers.rejects.csv, rejected rows come after invalid rows', async () => {
    const checked = await check(`${header}\na,height,x,\nb,height,1,\n`)
    const [answer] = await checked.answers()
    checked.rejects.add(answer!, [{ code: 'user_unknown', message: 'unknown user' }])
    const lines = (await checked.rejectsText())!.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[2]).toBe('b,height,1,,3,,user_unknown,unknown user')
  })

  it('the result files contain the rows of standard input unchanged', async () => {
    const checked = await check(`${header}\na,height,1,\n`, {}, { name: '-' })
    const [answer] = await checked.answers()
    checked.rejects.add(answer!, [{ code: 'refused', message: 'no' }])
    expect(await checked.rejectsText()).toContain('a,height,1,,2,,refused,no')
  })
})

describe('rejects of a file with JSON lines', () => {
  it('if answers.rejects.jsonl is checked again, the new rejects file has the same content', async () => {
    const lines = ['{"external_user_id":"a","lookup_key":"hight","value":1.5}', 'not json', '{}']
    const once = await check(`${lines.join('\n')}\n`, {}, { name: 'answers.jsonl' })
    const text = (await once.rejectsText())!
    const first = text.split('\n')[0]!
    expect(first.startsWith(`${lines[0]!.slice(0, -1)},"_line":1,"_column":"lookup_key; value",`)).toBe(true)
    expect(
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)._line),
    ).toEqual([1, 2, 3])
    const twice = await check(text, {}, { name: 'again.jsonl' })
    expect(twice.plan.problems.map(({ code }) => code)).toEqual(once.plan.problems.map(({ code }) => code))
    expect(await twice.rejectsText()).toBe(text)
  })

  it('answers.rejects.jsonl keeps all keys of an object in long form', async () => {
    const line = '{"external_user_id":"a","lookup_key":"height","value":1,"note":[1.0]}'
    const checked = await check(`${line}\n`, {}, { name: 'answers.jsonl' })
    const [answer] = await checked.answers()
    checked.rejects.add(answer!, [{ code: 'refused', message: 'no' }], ['height'])
    expect((await checked.rejectsText())!.startsWith(`${line.slice(0, -1)},"_line":1,`)).toBe(true)
  })

  it('if an object in wide form has one invalid answer, answers.rejects.jsonl contains only this answer of the object', async () => {
    const line = '{"external_user_id":"a","height":1.000,"weight":2,"timezone":"UTC"}\n'
    const checked = await check(line, {}, { name: 'answers.jsonl' })
    const rejected = (await checked.rejectsText())!
    expect(rejected.startsWith('{"external_user_id":"a","height":1.000,"timezone":"UTC","_line":1,')).toBe(
      true,
    )
    expect(JSON.parse(rejected)).toMatchObject({ _code: 'value_invalid' })
  })

  it('answers.rejects.jsonl keeps numbers as they are written in the input', async () => {
    const line = '{"external_user_id":7,"height":1.000}'
    const checked = await check(`${line}\n`, {}, { name: 'answers.jsonl' })
    expect(await checked.rejectsText()).toMatch(/^\{"external_user_id":7,"height":1\.000,"_line":1,/)
  })

  it('answers.rejects.jsonl keeps spaces before an object, and adds the reason after its last member', async () => {
    const line = '  {"external_user_id":"a","lookup_key":"hight","value":1 }  '
    const checked = await check(`${line}\n`, {}, { name: 'answers.jsonl' })
    expect(await checked.rejectsText()).toMatch(/^ {2}\{"external_user_id":"a".*"value":1,"_line":1,.*"\}\n$/)
  })
})

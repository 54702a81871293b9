import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { checkFields, selectFields } from '../../src/output/fields.ts'
import type { ScalarView } from '../../src/output/view.ts'
import { ClosedPipe, write } from '../../src/output/write.ts'
import { type Person, people, peopleView, personView } from './people.ts'
import { show } from './screen.ts'

const token: ScalarView<{ token: string }> = { text: (value) => value.token }

test('JSON output in a pipe is the unchanged result, including unknown fields and control characters', async () => {
  const value = [{ ...people[4]!, extra: { deep: [1, null] } }]
  const { out, err } = await show(value, peopleView, { settings: { format: 'json' } })
  expect(JSON.parse(out)).toEqual(value)
  expect(err).toBe('')
})

test('JSON output on a terminal is the result with escaped control characters', async () => {
  const value = { ...people[4]!, name: '\u009b31m\u202e' }
  const { out } = await show(value, personView, { width: 80, settings: { format: 'json' } })
  expect(out).not.toMatch(/[\u0080-\u009f\u202e]/)
  expect(JSON.parse(out)).toEqual(value)
})

test('colored JSON is identical to uncolored JSON after its colors are removed', async () => {
  const plain = await show(people, peopleView, { settings: { format: 'json' } })
  const colored = await show(people, peopleView, { color: true, settings: { format: 'json' } })
  expect(colored.out).not.toBe(plain.out)
  expect(colored.out.replace(/\x1b\[\d+m/g, '')).toBe(plain.out)
})

test('an empty list is printed as [] in JSON, as a header in CSV, and as nothing in NDJSON', async () => {
  expect((await show([], peopleView, { settings: { format: 'json' } })).out).toBe('[]\n')
  expect((await show([], peopleView, { settings: { format: 'ndjson' } })).out).toBe('')
  expect((await show([], peopleView, { settings: { format: 'csv' } })).out).toBe(
    'user_id,name,score,seen,advice\r\n',
  )
})

test('if a command has no result, null is printed in JSON, and nothing is printed in NDJSON and in text', async () => {
  const none = undefined as unknown as Person
  expect((await show(none, personView, { settings: { format: 'json' } })).out).toBe('null\n')
  expect((await show(none, personView, { settings: { format: 'ndjson' } })).out).toBe('')
  expect((await show(none, personView, { width: 80 })).out).toBe('')
})

test('a list is printed as one object per line in NDJSON', async () => {
  const { out } = await show(people, peopleView, { settings: { format: 'ndjson' } })
  expect(
    out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(people)
})

test('selected fields are printed in the requested order, including fields without a column', async () => {
  const value = people.map((person) => ({ ...person, extra: 1 }))
  const { out } = await show(value, peopleView, {
    settings: { format: 'ndjson', fields: ['extra', 'score'] },
  })
  expect(out.split('\n')[0]).toBe('{"extra":1,"score":82}')
})

test('--json with an unknown field is an error that lists the known fields and suggests a similar field', async () => {
  const check = () => checkFields(['user_ld', 'zzz', 'score'], [peopleView])
  const problems = [
    { message: '--json: unknown field "user_ld"; did you mean "user_id"?' },
    { message: '--json: unknown field "zzz"' },
  ]
  const details = { hint: 'Known fields: user_id, name, score, seen, advice.' }
  expect(check).toThrow(expect.objectContaining({ code: 'usage', problems, details }))
})

test('a path in --json selects a nested field with its parent objects, in each item of a list', () => {
  const value = { a: [{ b: { c: 1, d: 2 } }, { b: null }, {}], e: 3, f: 4 }
  const select = (...fields: string[]) =>
    selectFields(value, fields, { view: { columns: [] }, rows: [value] })
  expect(select('a.b.c', 'e')).toEqual({ a: [{ b: { c: 1 } }, { b: null }, { b: null }], e: 3 })
  expect(select('a.b.c', 'a.b.d')).toEqual({ a: [{ b: { c: 1, d: 2 } }, { b: null }, { b: null }] })
})

test('--json refuses a path that is not in the schema of the result', () => {
  const schema = z.array(
    z.looseObject({ id: z.string(), data: z.nullish(z.union([z.null(), z.object({ x: z.int() })])) }),
  )
  const check = (path: string) => () => checkFields([path], [], schema)
  for (const known of ['id', 'data', 'data.x']) expect(check(known)).not.toThrow()
  for (const other of ['data.y', 'id.x', 'other', 'data.x.y']) expect(check(other)).toThrow('unknown field')
  expect(check('data.xx')).toThrow('did you mean "data.x"?')
})

test('a jq filter prints strings without quotes and other results as JSON', async () => {
  const { out } = await show(people, peopleView, {
    settings: { format: 'json', jq: '.[0] | .name, .score, {score}' },
  })
  expect(out).toBe('Ada\n82\n{\n  "score": 82\n}\n')
})

test('a jq filter applies to the selected fields, and NDJSON output has one line per result', async () => {
  const settings = { format: 'ndjson', fields: ['score'], jq: '.[]' } as const
  expect((await show(people.slice(0, 2), peopleView, { settings })).out).toBe('{"score":82}\n{"score":7.5}\n')
})

test('a jq filter reads and prints a document of four megabytes', async () => {
  const texts = Array.from({ length: 4 }, (_, index) => String(index).repeat(1_000_000))
  const view: ScalarView<string[]> = { text: (value) => value.join() }
  const { out } = await show(texts, view, { settings: { format: 'json', jq: '.[3], .[2]' } })
  expect(out).toBe(`${texts[3]}\n${texts[2]}\n`)
})

test('a jq filter that needs too much memory causes an error without text from the jq library', async () => {
  const settings = { format: 'json', jq: '"x" * 2000000000' } as const
  const printed = vi.spyOn(console, 'error')
  await expect(show(people, peopleView, { settings })).rejects.toThrow(
    '--jq: the filter needs too much memory',
  )
  expect(printed).not.toHaveBeenCalled()
  printed.mockRestore()
})

test('if a jq filter fails with a value that is not a text, the error contains the value as JSON', async () => {
  const settings = { format: 'json', jq: 'error({a: 1})' } as const
  await expect(show(people, peopleView, { settings })).rejects.toThrow('--jq: {"a":1}')
})

test.each(['.[', '.[0].name.deeper', '1, error("late")', 'nosuch'])(
  'the jq filter %s causes a usage error',
  async (jq) => {
    await expect(show(people, peopleView, { settings: { format: 'json', jq } })).rejects.toMatchObject({
      code: 'usage',
    })
  },
)

test('the error text from a jq filter is printed unchanged', async () => {
  const settings = { format: 'json', jq: 'error("the end of file at <top-level> was reached")' } as const
  await expect(show(people, peopleView, { settings })).rejects.toThrow(
    '--jq: the end of file at <top-level> was reached',
  )
})

test('control characters in jq output are escaped on a terminal', async () => {
  const { out } = await show(people, peopleView, { width: 80, settings: { format: 'json', jq: '.[4].name' } })
  expect(out).toBe('\\x1b]0;owned\\x07\\u202eevil\n')
})

test('a parser for RFC 4180 reads the original values from the CSV output', async () => {
  const { out } = await show(people, peopleView, { settings: { format: 'csv' } })
  const read = parse(out, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
  expect(read).toEqual(
    people.map((person) => ({ ...person, score: person.score === null ? '' : String(person.score) })),
  )
})

test('CSV with --excel has a byte order mark and escaped formulas, and its numbers are unchanged', async () => {
  const value = [
    { ...people[0]!, name: '-3', score: -2, advice: '=1+1' },
    { ...people[0]!, advice: '+31 6 1234' },
  ]
  const { out } = await show(value, peopleView, { settings: { format: 'csv', excel: true } })
  expect(out.startsWith('\ufeffuser_id,')).toBe(true)
  expect(out).toContain(",-3,-2,2026-03-04T11:58:00.5+00:00,'=1+1\r\n")
  expect(out).toContain(",'+31 6 1234\r\n")
})

test('a record with line breaks in a value is printed on one line in TSV', async () => {
  const { out } = await show([people[3]!], peopleView, { settings: { format: 'tsv', header: false } })
  expect(out).toBe(`${people[3]!.user_id}\t${people[3]!.name}\t100\t2026-02-20T11:00:00Z\tTwo\\nlines\n`)
})

test('control characters in CSV are escaped on a terminal', async () => {
  const { out } = await show([people[4]!], peopleView, { width: 80, settings: { format: 'csv' } })
  expect(out).not.toContain('\u001b')
  expect(out).toContain('\\x1b]0;owned')
})

test('a table in a pipe has tabs, no color, no borders, and RFC 3339 times', async () => {
  const { out } = await show(people.slice(0, 1), peopleView)
  expect(out).toBe(
    `User\tName\tScore %\tSeen\tAdvice\n${people[0]!.user_id}\tAda\t82\t2026-03-04T11:58:00.5+00:00\t${people[0]!.advice}\n`,
  )
})

test('a result with one value is printed as this value, or as an object in JSON', async () => {
  const value = { token: 'a.b.c' }
  expect((await show(value, token)).out).toBe('a.b.c\n')
  expect((await show(value, token, { width: 80 })).out).toBe('a.b.c\n')
  expect((await show(value, token, { settings: { format: 'csv' } })).out).toBe('a.b.c\r\n')
  expect(JSON.parse((await show(value, token, { settings: { format: 'json' } })).out)).toEqual(value)
})

test('the text above and below a table is printed only on a terminal', async () => {
  const view = { ...peopleView, before: () => 'above', after: () => 'below\n' }
  expect((await show(people.slice(0, 1), view)).out).not.toMatch(/above|below/)
  expect((await show(people.slice(0, 1), view, { width: 150 })).out).toMatch(
    /^above\n\nUser[\s\S]*\n\nbelow\n$/,
  )
})

test('a column with a drawing is printed only on a terminal, and a column for programs only in machine-readable formats', async () => {
  const columns = [
    { key: 'user_id', title: 'User', only: 'machines' },
    { key: 'trend', title: 'Trend', only: 'pictures', cell: () => '▁▂▃' },
  ] as const
  const view = { ...peopleView, columns }
  expect((await show([people[0]!], view, { width: 80 })).out).toBe('Trend\n─────\n▁▂▃\n')
  expect((await show([people[0]!], view)).out).toBe('\n\n')
  expect((await show([people[0]!], view, { settings: { format: 'csv' } })).out).toBe(
    `user_id\r\n${people[0]!.user_id}\r\n`,
  )
})

test('a drawing is printed as text if stdout is not a terminal or ACCESSIBLE is set', async () => {
  const view: typeof peopleView = {
    ...peopleView,
    draw: (value, terminal) => (terminal.pictures ? `picture of ${value.length}` : `${value.length} people`),
  }
  expect((await show(people, view, { width: 80 })).out).toBe('picture of 5\n')
  expect((await show(people, view, { width: 80, env: { ACCESSIBLE: '1' } })).out).toBe('5 people\n')
  expect((await show(people, view)).out).toBe('5 people\n')
  expect((await show(people, view, { settings: { format: 'tsv' } })).out).toMatch(/^user_id\tname/)
})

test('a field named __proto__ is printed like any other field', async () => {
  const value = JSON.parse('[{"__proto__": "x", "name": "y"}]') as Person[]
  const settings = { format: 'ndjson', fields: ['__proto__'] } as const
  expect((await show(value, peopleView, { settings })).out).toBe('{"__proto__":"x"}\n')
})

test('each write to a pipe without a reader fails with the error ClosedPipe', async () => {
  const child = spawn('sh', ['-c', 'exec 0<&-; echo closed; sleep 20'], { stdio: ['pipe', 'pipe', 'ignore'] })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  await expect(write(child.stdin, 'x'.repeat(1_000_000))).rejects.toBeInstanceOf(ClosedPipe)
  await expect(write(child.stdin, 'again')).rejects.toBeInstanceOf(ClosedPipe)
  child.kill()
})

test('output to a full disk fails with an error that names the cause', async () => {
  const full = createWriteStream('/dev/full')
  await expect(write(full, 'x')).rejects.toMatchObject({ code: 'configuration', message: /no space left/ })
})

test('the YAML output, read by a parser for YAML 1.1, contains the values of the JSON output', async () => {
  const value = {
    name: 'no',
    born: '1984-02-29',
    at: new Date(0),
    id: 12345678901234567890n,
    none: undefined,
  }
  const { out } = await show(value as never, personView, { settings: { format: 'yaml' } })
  expect(out).toBe(
    'name: "no"\nborn: "1984-02-29"\nat: "1970-01-01T00:00:00.000Z"\nid: 12345678901234567890\n',
  )
})

test('YAML on a terminal contains no control characters', async () => {
  const value = { ...people[4]!, name: 'a\u009b31m\u202e' }
  const { out } = await show(value, personView, { width: 80, settings: { format: 'yaml' } })
  expect(out).not.toMatch(/[\u0080-\u009f\u202e]/)
})

test('an empty list is printed as an empty list in YAML', async () => {
  expect((await show([], peopleView, { settings: { format: 'yaml' } })).out).toBe('[]\n')
})

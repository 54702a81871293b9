import { expect, test } from 'vitest'
import { hideKeys } from '../../src/base/mask.ts'
import { quoteWord, showWord, toUrl, userIdProblem } from '../../src/base/text.ts'

const part = 'AAAA.BBBB!CCCC-DDDD_EEEE@FFFF.GGG'

test('a usage error hides a long word that can be a part of an API key', () => {
  expect(part).toHaveLength(33)
  const text = `"${part}" is not a valid date`
  expect(hideKeys(['--birth-date', part], true)(text)).toBe(
    '"(hidden: possible key or token)" is not a valid date',
  )
  expect(hideKeys([`--birth-date=${part}`], true)(text)).not.toContain(part)
  expect(hideKeys(['--birth-date', part.slice(1)], true)(`"${part.slice(1)}"`)).toContain(part.slice(1))
})

test.each([
  '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  'a-very-long-name-of-a-person@company.example',
  'answers-2026-11-23-export-from-the-clinic.csv',
  'https://a-very-long-name-of-a-service.example.com',
])('a usage error shows a long word that cannot be a part of an API key: %s', (word) => {
  expect(hideKeys([word], true)(word)).toBe(word)
})

test('an error other than a usage error hides only words that are as long as an API key', () => {
  expect(hideKeys([part])(part)).toBe(part)
  const key = `${part}-123456`
  expect(key).toHaveLength(40)
  expect(hideKeys([key])(key)).toBe('(hidden: possible key or token)')
})

test.each(['users', 'a'.repeat(32)])('the error for the unknown word %j contains the word', (word) => {
  expect(showWord(word)).toBe(`"${word}"`)
})

test.each(['a'.repeat(33), 'abc!def', 'a\nb'])(
  'the error for the unknown word %j, which could be a key, contains only the length of the word',
  (word) => {
    expect(showWord(word)).toBe(`of ${word.length} characters`)
  },
)

test('a URL with a non-ASCII letter is parsed correctly after 200,000 other URLs were parsed', () => {
  for (let index = 0; index < 200_000; index++) toUrl('https://api.example')
  expect(toUrl('https://bücher.test')?.host).toBe('xn--bcher-kva.test')
  expect(toUrl('api.example')).toBeUndefined()
})

test.each([
  ['a\nb', 'contains a control character (U+000A)'],
  ['a\x7f', 'contains a control character (U+007F)'],
])('the external user ID %j is invalid because it %s, even with --ids exact', (id, problem) => {
  expect(userIdProblem(id)).toBe(problem)
  expect(userIdProblem(id, { isExact: true })).toBe(problem)
})

test.each([
  [' a', 'starts or ends with a space'],
  ['a\u00a0', 'starts or ends with a space'],
  ['a\u200bb', 'contains an invisible character (U+200B)'],
  ['a\u202eb', 'contains an invisible character (U+202E)'],
  ['\ufeffa', 'starts or ends with a space'],
  ['a\u2028b', 'contains an invisible character (U+2028)'],
  ['a\u{e0041}', 'contains an invisible character (U+E0041)'],
  ['\u3164', 'contains an invisible character (U+3164)'],
  ['a\u2800', 'contains an invisible character (U+2800)'],
])('the external user ID %j is invalid because it %s, and is valid with --ids exact', (id, problem) => {
  expect(userIdProblem(id)).toBe(problem)
  expect(userIdProblem(id, { isExact: true })).toBeUndefined()
})

test.each(['a b', 'jos\u00e9@example.com'])('the external user ID %j is valid', (id) => {
  expect(userIdProblem(id)).toBeUndefined()
  expect(userIdProblem(id, { isExact: true })).toBeUndefined()
})

test.each([
  ['a=b', 'a=b'],
  ['=a', "'=a'"],
  ['~', "'~'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
])('the word %j in a suggested command is written as %s', (word, written) => {
  expect(quoteWord(word)).toBe(written)
})

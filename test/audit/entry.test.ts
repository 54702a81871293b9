import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { boundedId, parseLine, toIntent, toLine, toOutcome, toUserChange } from '../../src/audit/entry.ts'
import { intentOf } from './entries.ts'

const now = Date.UTC(2026, 0, 1)
const userId = '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'

describe('an ID from the service', () => {
  it.each([
    [undefined, [], null],
    ['', [], null],
    ['req_1-A', [], 'req_1-A'],
    ['x'.repeat(64), [], 'x'.repeat(64)],
    ['x'.repeat(65), [], null],
    ['two words', [], null],
    [' padded', [], null],
    ['padded ', [], null],
    ['x-4711-y', ['4711'], null],
    ['x-4711-y', ['other', '4711'], null],
    ['x-471-y', ['471'], 'x-471-y'],
    ['471', ['471'], null],
    ['x-4711-y', ['4712'], 'x-4711-y'],
  ])(
    'the ID %j that the service returns for a user with the IDs %j is logged as %j',
    (text, forbidden, expected) => {
      expect(boundedId(text, forbidden)).toEqual(expected)
    },
  )
})

it('the log entry of a change contains the user name from the operating system', () => {
  expect(toIntent(now, intentOf()).os_user).toBe(userInfo().username)
})

describe('a line of the audit log', () => {
  it('each text field of a log entry is truncated at 255 characters', () => {
    const long = 'x'.repeat(1_000)
    const texts = { profile: long, host: long, path: long, detail: long, reason: long }
    const line = JSON.parse(toLine(toIntent(now, intentOf(texts))))
    for (const name of Object.keys(texts)) expect(line[name]).toBe(long.slice(0, 255))
  })

  it('control characters in a log entry are replaced with question marks, and other characters are kept', () => {
    const detail = '\x1f ~\x7f\x80\xa0\xa1ü漢'
    const line = toLine(toOutcome(now, 'i-1', { outcome: 'done', status: 201, detail }))
    expect(line.endsWith('\n')).toBe(true)
    expect(JSON.parse(line)).toMatchObject({ status: 201, detail: '? ~???¡ü漢' })
  })
})

describe('the outcome for one user of a list', () => {
  const facts = intentOf({ user_id: userId, detail: 'of the list' })

  it('the log entry for a user in a list contains the user ID and detail of the intent if the outcome has none', () => {
    const change = toUserChange(now, facts, { outcome: 'done', status: 204 })
    expect(change).toMatchObject({ event: 'user', user_id: userId, detail: 'of the list', status: 204 })
    expect(change).not.toHaveProperty('is_import')
  })

  it('the log entry for a user in a list contains the user ID and detail of the outcome if the outcome has them', () => {
    const change = toUserChange(now, facts, { outcome: 'done', user_id: 'other', detail: 'own' })
    expect(change).toMatchObject({ user_id: 'other', detail: 'own', status: null, request_id: null })
  })
})

describe('reading a line of the log', () => {
  it.each([
    ['{"event":"intent","id":"a"}', { event: 'intent', id: 'a' }],
    ['{"event":"user","id":"a"}', { event: 'user', id: 'a' }],
    ['{"event":"intent","sequence":7,"previous":"p","hash":"h"}', { event: 'intent', id: '7' }],
    ['{"event":"outcome","intent":7,"hash":"h"}', { event: 'outcome', intent: '7' }],
    ['{"event":"other","id":"a"}', undefined],
    ['{"event":"intent"}', undefined],
    ['7', undefined],
    ['null', undefined],
    ['{"event":', undefined],
  ])('the log line %s is read as %j', (text, expected) => {
    expect(parseLine(text)).toEqual(expected)
  })
})

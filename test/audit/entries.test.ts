import { userInfo } from 'node:os'
import { describe, expect, it } from 'vitest'
import { parseLine } from '../../src/audit/changes.ts'
import { toIntent, toLine } from '../../src/audit/log.ts'
import { intentOf } from './entries.ts'

const clock = { now: () => Date.UTC(2026, 0, 1) }

it('the log entry of a change contains the user name from the operating system', () => {
  expect(toIntent(clock, intentOf()).os_user).toBe(userInfo().username)
})

describe('a line of the audit log', () => {
  it('each text field of a log entry is truncated at 255 characters', () => {
    const long = 'x'.repeat(1_000)
    const texts = { profile: long, host: long, path: long, detail: long, reason: long }
    const line = JSON.parse(toLine(toIntent(clock, intentOf(texts))))
    for (const name of Object.keys(texts)) expect(line[name]).toBe(long.slice(0, 255))
  })

  it('control characters and no-break spaces in a log entry are replaced with question marks', () => {
    const detail = '\x1f ~\x7f\x80\xa0\xa1ü漢'
    const line = toLine({ event: 'outcome', status: 201, detail })
    expect(line.endsWith('\n')).toBe(true)
    expect(JSON.parse(line)).toMatchObject({ status: 201, detail: '? ~???¡ü漢' })
  })
})

describe('reading a line of the log', () => {
  it.each([
    ['{"event":"intent","id":"a"}', { event: 'intent', id: 'a' }],
    ['{"event":"user","id":"a"}', { event: 'user', id: 'a' }],
    ['{"event":"intent","sequence":7,"previous":"p","hash":"h"}', { event: 'intent', id: '7' }],
    ['{"event":"outcome","intent":7,"hash":"h"}', { event: 'outcome', id: '7' }],
    ['{"event":"user","id":"a","detail":"\\u001b[2J"}', { event: 'user', id: 'a', detail: '?[2J' }],
  ])('the log line %s is read as %j', (text, expected) => {
    expect(parseLine(text)).toEqual(expected)
  })

  it.each([
    '{"event":"other","id":"a"}',
    '{"event":"intent"}',
    '{"event":"intent","id":"a","time":"junk"}',
    '{"event":"intent","id":"a","time":5}',
    '{"event":"intent","id":"a","detail":{"b":1}}',
    '{"event":"outcome","intent":"a","outcome":"other"}',
    '7',
    'null',
    '{"event":',
    '['.repeat(100_000),
  ])('the log line %s is not an entry of the audit log', (text) => {
    expect(parseLine(text)).toBeUndefined()
  })
})

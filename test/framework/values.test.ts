import { expect, onTestFinished, test, vi } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import * as times from '../../src/framework/times.ts'
import * as values from '../../src/framework/values.ts'
import fc from '../helpers/fast-check.ts'
import { holds } from '../helpers/property.ts'
import { fuzzRuns, fuzzTimeoutMs } from '../output/fuzz-runs.ts'

const { duration, integer, nonEmpty, port, positiveInteger, probability, timeZone, uuid } = values
const { oneNamed, oneOf, wholeNumber } = values
const { dateTime, expiryTime, isoDate } = times

function nameOf(parser: unknown): string | undefined {
  return Object.entries({ ...values, ...times }).find(([, value]) => value === parser)?.[0]
}

const accepted = [
  [uuid, '5151d12e-2f9a-4d7a-962f-fd85d23bd68b', '5151d12e-2f9a-4d7a-962f-fd85d23bd68b'],
  [uuid, '5151D12E2F9A4D7A962FFD85D23BD68B', '5151D12E2F9A4D7A962FFD85D23BD68B'],
  [nonEmpty, ' ', ' '],
  [isoDate, '1984-02-29', '1984-02-29'],
  [dateTime, '2026-03-01', '2026-03-01T00:00:00'],
  [dateTime, '2026-03-01T08:30', '2026-03-01T08:30:00'],
  [dateTime, '2026-03-01 08:30:15.25', '2026-03-01T08:30:15.25'],
  [dateTime, '2026-03-01T08:30Z', '2026-03-01T08:30:00Z'],
  [dateTime, '2026-03-01T08:30:00-05:30', '2026-03-01T08:30:00-05:30'],
  [expiryTime, '2026-03-01T23:59:59', '2026-03-01T23:59:59'],
  [expiryTime, '2026-03-01T08:30:00+02:00', '2026-03-01T06:30:00'],
  [integer, '-0', -0],
  [integer, '-17', -17],
  [integer, '9007199254740991', 9007199254740991],
  [wholeNumber, '0', 0],
  [positiveInteger, '1', 1],
  [duration, '500ms', 500],
  [duration, '1.5s', 1_500],
  [duration, '90', 90_000],
  [duration, '15m', 900_000],
  [duration, '2h', 7_200_000],
  [duration, '1d', 86_400_000],
  [timeZone, 'Europe/Amsterdam', 'Europe/Amsterdam'],
  [timeZone, 'UTC', 'UTC'],
  [timeZone, 'Asia/Kolkata', 'Asia/Kolkata'],
  [port, '0', 0],
  [port, '65535', 65_535],
  [probability, '0.05', 0.05],
  [probability, '1', 1],
] as const

test.each(accepted.map(([read, text, value]) => [nameOf(read), text, read, value] as const))(
  'the parser "%s" accepts the text "%s"',
  (_, text, read, value) => {
    expect(read(text)).toBe(value)
  },
)

const refused = [
  [uuid, '5151d12e-2f9a-4d7a-962f-fd85d23bd68', 'is not a valid UUID'],
  [uuid, '5151d12e-2f9a4d7a-962f-fd85d23bd68b', 'is not a valid UUID'],
  [uuid, ' 5151d12e2f9a4d7a962ffd85d23bd68b', 'is not a valid UUID'],
  [nonEmpty, '', 'is empty'],
  [isoDate, '2026-02-29', 'is not a valid date'],
  [isoDate, '2026-2-9', 'is not a valid date'],
  [isoDate, '29.02.1984', 'is not a valid date'],
  [isoDate, '2026-13-01', 'is not a valid date'],
  [dateTime, '2026-03-01T24:00', 'is not a valid date or time'],
  [dateTime, '2026-03-01T08:60', 'is not a valid date or time'],
  [dateTime, '2026-02-30T08:00', 'is not a valid date or time'],
  [dateTime, '2026-03-01T', 'is not a valid date or time'],
  [expiryTime, 'tomorrow', 'is not a valid date or time (examples: 2h, 2026-03-01T08:30:00)'],
  [dateTime, '7', 'is not a valid date or time'],
  [dateTime, '7w', 'is not a valid date or time'],
  [integer, '1.0', 'is not a whole number'],
  [integer, '01', 'is not a whole number'],
  [integer, '1e3', 'is not a whole number'],
  [integer, '', 'is not a whole number'],
  [integer, '9007199254740992', 'is not a whole number'],
  [wholeNumber, '-1', 'is not valid (must be 0 or more)'],
  [positiveInteger, '0', 'is not valid (must be 1 or more)'],
  [duration, '0', 'is not a valid duration'],
  [duration, '-5s', 'is not a valid duration'],
  [duration, '5 s', 'is not a valid duration'],
  [duration, '5w', 'is not a valid duration'],
  [duration, '25d', 'is too long (maximum: 24 days)'],
  [timeZone, '+01:00', 'is not an IANA'],
  [timeZone, 'Mars/Olympus', 'is not an IANA'],
  [timeZone, '', 'is not an IANA'],
  [port, '65536', 'is not a valid port'],
  [probability, '1.01', 'is not a valid probability'],
  [probability, ' ', 'is not a valid probability'],
] as const

test.each(refused.map(([read, text, message]) => [nameOf(read), text, read, message] as const))(
  'the parser "%s" refuses the text "%s"',
  (_, text, read, message) => {
    expect(() => read(text)).toThrow(UsageError)
    expect(() => read(text)).toThrow(message)
  },
)

holds('each parser either rejects a text or returns a value that it accepts again unchanged', () => {
  const text = fc.oneof(
    fc.string(),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.uuid(),
    fc.double().map(String),
  )
  const readers = fc.constantFrom(
    uuid,
    nonEmpty,
    isoDate,
    dateTime,
    expiryTime,
    integer,
    duration,
    timeZone,
    port,
    probability,
  )
  return fc.property(text, readers, (given, read) => {
    let value: string | number
    try {
      value = read(given)
    } catch (error) {
      expect(error).toBeInstanceOf(UsageError)
      return
    }
    if (read === duration) expect(value).toBeGreaterThan(0)
    if (typeof value === 'string') expect(read(value)).toBe(value)
  })
})

test(
  'a date is valid if it exists in the calendar and its year is from 1 to 9999',
  () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 9_999 }),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 1, max: 31 }),
      (year, month, day) => {
        const text = [
          String(year).padStart(4, '0'),
          String(month).padStart(2, '0'),
          String(day).padStart(2, '0'),
        ].join('-')
        const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
        const days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if (day <= (days[month - 1] ?? 0)) expect(isoDate(text)).toBe(text)
        else expect(() => isoDate(text)).toThrow(UsageError)
      },
    )
    fc.assert(property, { numRuns: fuzzRuns })
  },
  fuzzTimeoutMs,
)

test('the error for an invalid choice suggests a similar choice, but suggests nothing for a text of one letter', () => {
  expect(() => oneOf(['heart_rate', 'height'])('heartrate')).toThrow('did you mean "heart_rate"?')
  expect(() => oneOf(['M', 'F'])('X')).toThrow(/"X" is not one of M, F$/)
})

test.each(['F', 'f', 'female', 'Female', 'FEMALE'])('the choice F can be written as %s', (text) => {
  expect(oneNamed(['M', 'F'], { M: 'male', F: 'female' })(text)).toBe('F')
})

test('a choice is refused if only a part of its name is typed', () => {
  expect(() => oneNamed(['M', 'F'], { F: 'female' })('fem')).toThrow('"fem" is not one of M, F')
  expect(() => oneNamed(['M', 'F'], {})('undefined')).toThrow('is not one of M, F')
})

test('a time can be written as now, today, yesterday, or a duration before now, in UTC', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T08:30:00Z') })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const texts = ['now', 'today', 'Yesterday', '7d', '12h', '90s']
  expect(texts.map(dateTime)).toEqual([
    '2026-03-01T08:30:00.000Z',
    '2026-03-01T00:00:00.000Z',
    '2026-02-28T00:00:00.000Z',
    '2026-02-22T08:30:00.000Z',
    '2026-02-28T20:30:00.000Z',
    '2026-03-01T08:28:30.000Z',
  ])
  expect(expiryTime('2h')).toBe('2026-03-01T10:30:00')
})

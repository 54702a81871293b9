import type { Reason } from '../types.ts'
import { noValue } from './flag-values.ts'
import { type LookupKeys, shortKey } from './lookup-keys.ts'
import { checkTimeZone } from './time-zones.ts'

export type Cause = Pick<Reason, 'code' | 'message'>

export function whyNoKey(key: string, keys: LookupKeys): Cause {
  if (key === '') return { code: 'key_missing', message: 'the lookup key is empty' }
  const nearest = keys.nearest(key)
  const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`
  return { code: 'key_unknown', message: `unknown lookup key "${shortKey(key)}"${hint}` }
}

const valueHints: readonly (readonly [RegExp, string])[] = [
  [noValue, 'leave the cell empty if there is no answer'],
  [/(?![0-9])\p{Nd}/u, 'use the digits 0 to 9'],
  [/^\+/, 'remove the plus sign'],
  [/^[\u2010-\u2015\u2212]\d/, 'write the minus sign as -'],
  [/^-?0\d+$/, 'remove the leading zeros'],
  [/^-?\d+[.,]0*$/, 'remove the decimal part'],
  [/^-?\d{1,3}([.,'’\s]\d{2,3})*[.,'’\s]\d{3}$/, 'remove the thousands separators'],
  [/^-?\d+([.,]\d+)?\s*(%|\p{L}{1,4}\.?)$/u, 'write only the number, in the unit of the question'],
  [/^-?\d*[.,]\d+$/, 'the service does not support decimals'],
  [/^-?\d+([.,]\d+)?e[+-]?\d+$/i, 'write the number without an exponent'],
]

const wholeNumber = /^-?(0|[1-9]\d*)$/

export function whyNoValue(text: string): Cause {
  if (text === '') return { code: 'value_missing', message: 'the value is empty' }
  const got = `got "${shortKey(text)}"`
  if (wholeNumber.test(text)) {
    return { code: 'value_range', message: `value must be within ±${Number.MAX_SAFE_INTEGER}, ${got}` }
  }
  const hint = valueHints.find(([pattern]) => pattern.test(text))?.[1]
  return { code: 'value_invalid', message: `value must be a whole number, ${got}${hint ? `; ${hint}` : ''}` }
}

const zoneMessages = {
  timezone_missing:
    'the time zone is empty; enter a time zone, or set --timezone for all rows without a time zone',
  timezone_offset: 'offsets are not time zones; use a name such as Europe/Amsterdam',
  timezone_unknown: 'unknown time zone; use a name such as Europe/Amsterdam',
}

export function whyNoZone(text: string): Cause {
  const code = text === '' ? 'timezone_missing' : (checkTimeZone(text).fault ?? 'timezone_unknown')
  return { code, message: zoneMessages[code] }
}

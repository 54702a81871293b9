import { isUtf8 } from 'node:buffer'
import { uuidPattern } from '../../contract/values.ts'
import type { Fault } from '../scan/scanner.ts'
import type { Reason } from '../types.ts'
import { type LookupKeys, shortKey } from './lookup-keys.ts'
import { checkTimeZone } from './time-zones.ts'

/** Longer ids do not fit into the address of a request. */
export const maxUserBytes = 1024

type Cause = Pick<Reason, 'code' | 'message'>

const faultMessages: Record<Fault, string> = {
  stray_quote: 'a quote stands inside a cell; quote the whole cell and double the quotes inside',
  unterminated_quote: 'a quote is opened and never closed; nothing after this line was read',
  record_too_long:
    'the record does not end within 1 MiB, most likely because a quote is never closed; nothing after this line was read',
}

export function faultReason(fault: Fault): Reason {
  return { code: fault, message: faultMessages[fault] }
}

/** `found` equal to `expected` means that a cell is filled under a column without a name. */
export function widthReason(found: number, expected: number): Reason {
  if (found === expected) return { code: 'long_row', message: 'a cell is filled whose column has no name' }
  const message = `the row has ${found === 1 ? '1 cell' : `${found} cells`}, the header has ${expected}`
  if (found < expected) return { code: 'short_row', message }
  return { code: 'long_row', message: `${message}; quote a cell that holds the separator` }
}

export function whyNoUser(bytes: Buffer, kind: 'external_user_id' | 'user_id'): Cause | undefined {
  if (bytes.length === 0) return { code: 'user_missing', message: 'the user id is empty' }
  if (bytes.length > maxUserBytes) {
    return { code: 'user_too_long', message: `the user id is longer than ${maxUserBytes} bytes` }
  }
  if (!isUtf8(bytes)) {
    return { code: 'user_encoding', message: 'the user id is not UTF-8; save the file as UTF-8' }
  }
  const text = bytes.toString()
  if (/\p{Cc}/u.test(text)) {
    return {
      code: 'user_control',
      message: 'the user id holds a control character, such as a tab or a newline',
    }
  }
  if (kind === 'user_id' && !uuidPattern.test(text)) {
    return {
      code: 'user_not_uuid',
      message: 'user_id is no UUID; for ids of your own name the column external_user_id',
    }
  }
  return undefined
}

export function whyNoKey(key: string, keys: LookupKeys): Cause {
  if (key === '') return { code: 'key_missing', message: 'the lookup key is empty' }
  const nearest = keys.nearest(key)
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`
  return { code: 'key_unknown', message: `the service knows no lookup key '${shortKey(key)}'${hint}` }
}

const valueHints: readonly (readonly [RegExp, string])[] = [
  [/^\s|\s$/, 'without the spaces around it'],
  [/[０-９]/, 'with the digits 0 to 9'],
  [/^\+/, 'without the plus sign'],
  [/^-?0\d+$/, 'without leading zeros'],
  [/^-?\d+[.,]0*$/, 'without a decimal part'],
  [/^-?\d{1,3}([.,' ]\d{3})+$/, 'without separators between the digits'],
  [/^-?\d*[.,]\d+$/, 'without decimals: the service takes none'],
  [/^-?\d+([.,]\d+)?e[+-]?\d+$/i, 'without an exponent'],
]

const wholeNumber = /^-?(0|[1-9]\d*)$/

export function whyNoValue(text: string): Cause {
  if (text === '') return { code: 'value_missing', message: 'the value is empty' }
  if (wholeNumber.test(text)) {
    return { code: 'value_range', message: `the value is outside ±${Number.MAX_SAFE_INTEGER}` }
  }
  const hint = valueHints.find(([pattern]) => pattern.test(text))?.[1] ?? 'such as 3'
  return { code: 'value_invalid', message: `the value is no whole number; write it ${hint}` }
}

export function whyNoZone(text: string): Cause {
  if (text === '') {
    return {
      code: 'timezone_missing',
      message: 'the time zone is empty; fill it in or give --timezone for all such rows',
    }
  }
  if (checkTimeZone(text).fault === 'timezone_offset') {
    return {
      code: 'timezone_offset',
      message: 'the time zone is an offset; write the name of a zone, such as Europe/Amsterdam',
    }
  }
  return {
    code: 'timezone_unknown',
    message: 'the time zone is not in the IANA list; write a name such as Europe/Amsterdam',
  }
}

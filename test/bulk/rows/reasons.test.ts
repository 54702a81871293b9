import { describe, expect, it } from 'vitest'
import { LookupKeys } from '../../../src/bulk/rows/lookup-keys.ts'
import { whyNoKey, whyNoValue, whyNoZone } from '../../../src/bulk/rows/reasons.ts'
import { widthReason } from '../../../src/bulk/rows/table.ts'
import { whyNoUser } from '../../../src/bulk/rows/user-ids.ts'

describe('the reason for a rejected row', () => {
  it.each([
    [1, 3, 'short_row', 'the row has 1 cell, but the header has 3'],
    [2, 3, 'short_row', 'the row has 2 cells, but the header has 3'],
    [4, 3, 'long_row', 'the row has 4 cells, but the header has 3; quote cells that contain the delimiter'],
    [3, 3, 'long_row', 'a cell has a value, but its column has no name'],
  ])(
    'the rejection reason for a row of %i cells and a header of %i columns states both numbers',
    (found, expected, code, message) => {
      expect(widthReason(found, expected)).toEqual({ code, message })
    },
  )

  it.each([
    ['', 'user_missing'],
    ['é'.repeat(512), undefined],
    [`${'é'.repeat(512)}x`, 'user_too_long'],
    ['x'.repeat(1025), 'user_too_long'],
    ['a\u0085b', 'user_control'],
  ])(
    'a user ID is rejected if it is empty, is too long for a URL, or contains a control character',
    (id, code) => {
      expect(whyNoUser(Buffer.from(id), 'external_user_id')?.code).toBe(code)
    },
  )

  it.each([
    ['hight', 'unknown lookup key "hight"; did you mean "height"?'],
    ['zzz', 'unknown lookup key "zzz"'],
    ['x'.repeat(61), `unknown lookup key "${'x'.repeat(60)}…"`],
    ['', 'the lookup key is empty'],
  ])(
    'the rejection reason for the lookup key %j suggests a similar known key if one exists',
    (key, message) => {
      expect(whyNoKey(key, new LookupKeys(['height']))).toMatchObject({ message })
    },
  )

  it.each([
    ['1,00,000', 'remove the thousands separators'],
    ['NA', 'leave the cell empty if there is no answer'],
    ['72 kg', 'write only the number, in the unit of the question'],
    ['72,5 %', 'write only the number, in the unit of the question'],
    ['\u221272', 'write the minus sign as -'],
    ['７２', 'use the digits 0 to 9'],
  ])('the rejection reason for the value %j shows the valid form of the value', (text, hint) => {
    expect(whyNoValue(text).message).toContain(`got "${text}"; ${hint}`)
  })

  it.each([
    ['', 'timezone_missing', 'the time zone is empty'],
    ['+01:00', 'timezone_offset', 'offsets are not time zones'],
    ['Mars/Base', 'timezone_unknown', 'unknown time zone'],
  ])('the rejection reason for the time zone %j explains the problem', (zone, code, message) => {
    expect(whyNoZone(zone)).toEqual({ code, message: expect.stringContaining(message) })
  })
})

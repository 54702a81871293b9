import { describe, expect, it } from 'vitest'
import { checkTimeZone } from '../../../src/bulk/rows/time-zones.ts'

describe('time zones', () => {
  it('the case of letters in a time zone is corrected, and an alias stays unchanged', () => {
    const spelled = {
      'europe/amsterdam': 'Europe/Amsterdam',
      'AMERICA/NEW_YORK': 'America/New_York',
      'asia/kolkata': 'Asia/Kolkata',
      'asia/calcutta': 'Asia/Calcutta',
      'europe/kiev': 'Europe/Kiev',
      'us/east-indiana': 'US/East-Indiana',
      'america/port-au-prince': 'America/Port-au-Prince',
      utc: 'UTC',
      'etc/gmt+5': 'Etc/GMT+5',
    }
    for (const [text, name] of Object.entries(spelled)) expect(checkTimeZone(text)).toEqual({ name })
  })

  it('every time zone of the system is accepted in uppercase and lowercase', () => {
    for (const name of Intl.supportedValuesOf('timeZone')) {
      expect(checkTimeZone(name.toUpperCase())).toEqual({ name })
    }
  })

  it('UTC offsets are refused as time zones', () => {
    for (const text of ['+02:00', '-0530', 'UTC+2', 'gmt-3', 'Z', '+2']) {
      expect(checkTimeZone(text)).toEqual({ fault: 'timezone_offset' })
    }
  })

  it('a time zone with a misspelled or incomplete name is refused as unknown', () => {
    for (const text of ['Europe/Amsterdm', 'Amsterdam', ' UTC', 'CEST', 'BST', 'IST', 'PST', '']) {
      expect(checkTimeZone(text)).toEqual({ fault: 'timezone_unknown' })
    }
  })
})

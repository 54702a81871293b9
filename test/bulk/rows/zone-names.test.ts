import { describe, expect, it } from 'vitest'
import { ZoneNames } from '../../../src/bulk/rows/time-zones.ts'

describe('the time zones of a file', () => {
  it('all spellings of a time zone in a file get the same internal index', () => {
    const zones = new ZoneNames()
    const spellings = ['utc', 'UTC', 'asia/kolkata', 'Mars/Base', 'uTC', 'utc', 'Asia/Kolkata', 'Mars/Base']
    expect(spellings.map((text) => zones.numberOf(text))).toEqual([0, 0, 1, -1, 0, 0, 1, -1])
    expect(zones.numberOf('Utc')).toBe(0)
    expect(zones.names).toEqual(['UTC', 'Asia/Kolkata'])
  })

  it('5000 spellings of a known time zone are recognized after 5000 unknown time zones', () => {
    const zones = new ZoneNames()
    for (let number = 0; number < 5000; number++) expect(zones.numberOf(`Mars/Base${number}`)).toBe(-1)
    const capitals = (text: string, bits: number) =>
      [...text].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join('')
    const spellings = Array.from({ length: 5000 }, (_, bits) => `asia/${capitals('yekaterinburg', bits)}`)
    expect(new Set(spellings).size).toBe(5000)
    expect(new Set(spellings.map((text) => zones.numberOf(text)))).toEqual(new Set([0]))
    expect(zones.numberOf('Mars/Base4999')).toBe(-1)
    expect(zones.names).toEqual(['Asia/Yekaterinburg'])
  })
})

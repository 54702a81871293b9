/** Constants of the service, such as its languages. Help and completion load this file, so it imports almost nothing. */

import { orUndefined } from '../base/functions.ts'

export const sexes = ['M', 'F'] as const
export const sexNames = { M: 'male', F: 'female' } as const

/** Languages of localized content (spec 1). */
export const languages = ['nl', 'da', 'en', 'fr', 'de', 'es', 'sv'] as const
export const languageNames = {
  nl: 'Dutch',
  da: 'Danish',
  en: 'English',
  fr: 'French',
  de: 'German',
  es: 'Spanish',
  sv: 'Swedish',
} as const

/** Languages of a user (spec 2.1). The list is shorter than `languages`. */
export const userLanguages = ['en', 'nl', 'fr', 'da', 'sv'] as const

export const unitSystems = ['metric', 'imperial'] as const
/** Maximum number of scans per request in the sandbox. The specification has no maximum (spec 8). */
export const maximumScans = 1000

export const orders = ['asc', 'desc'] as const
export const summaryProfiles = ['physical', 'mental', 'energy_sleep'] as const
export const disabledSections = ['main', 'metrics', 'biomarkers', 'recommendations', 'todos'] as const

/** Matches a UUID with or without dashes, because services use both forms. */
export const uuidPattern = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/

/** The dashed, lower-case form of a UUID. */
export function dashed(uuid: string): string {
  const digits = uuid.replaceAll('-', '').toLowerCase()
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The dashed, lower-case form of a UUID, so that all spellings of an ID are equal. Undefined if the text is not a UUID. */
export function toUuid(text: string | undefined): string | undefined {
  return text !== undefined && uuidPattern.test(text) ? dashed(text) : undefined
}

/** Cache of valid time zone names. It saves time, because a check takes 0.1 ms and each row of an import can have a time zone. */
const timeZones = new Set<string>()

/** Whether a text is an IANA time zone name. A UTC offset is not a name. */
export function isTimeZone(text: string): boolean {
  if (timeZones.has(text)) return true
  const isName =
    !/^[+-]/.test(text) && orUndefined(() => new Intl.DateTimeFormat('en', { timeZone: text })) !== undefined
  if (isName) timeZones.add(text)
  return isName
}

export const lookupKeys = [
  'height',
  'weight',
  'balance_coordination',
  'hours_sport_week',
  'daily_activities',
  'nightly_wake_ups',
  'feeling_stressed_last_month',
  'struggling_irritations_last_month',
  'things_your_way_last_month',
  'average_sleep_hours',
  'age',
  'parental_hypertension',
  'smoking',
] as const

export type Sex = (typeof sexes)[number]
export type Language = (typeof languages)[number]
export type UserLanguage = (typeof userLanguages)[number]
export type UnitSystem = (typeof unitSystems)[number]
export type Order = (typeof orders)[number]
export type SummaryProfile = (typeof summaryProfiles)[number]
export type DisabledSection = (typeof disabledSections)[number]
export type LookupKey = (typeof lookupKeys)[number]

/**
 * Reads the number of the next page (spec 4.5) from a number, digits, or a URL with the page parameter. Returns null at the end of the list
 * (null, empty, or missing). Returns undefined for any other value, because the next page cannot be read then. The client never opens the
 * URL.
 */
export function readNextPage(value: unknown, parameter = 'page'): number | null | undefined {
  if (value === null || value === undefined || value === '') return null
  const whole = String(value)
  const [, query = ''] = whole.split('?')
  const text = new URLSearchParams(query.split('#')[0]).get(parameter) ?? whole
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

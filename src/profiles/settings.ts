import * as z from 'zod/mini'

/** Settings of a profile that are defaults for the flags of the same name: the title in tables, and the text for the audit log. */
export const settings = {
  timezone: { title: 'Time zone', audit: 'time zone' },
  language: { title: 'Language', audit: 'language' },
  rate: { title: 'Rate', audit: 'rate' },
} as const

export type SettingName = keyof typeof settings
export type Defaults = Partial<Record<SettingName, string | undefined>>

export const settingNames = Object.keys(settings) as readonly SettingName[]

/** One value for each setting. */
export function forSettings<Value>(makeValue: (name: SettingName) => Value): Record<SettingName, Value> {
  return Object.fromEntries(settingNames.map((name) => [name, makeValue(name)])) as Record<SettingName, Value>
}

/** The texts as in the flags. The flag that uses a text checks it again. */
export const storedSettings = forSettings(() => z.optional(z.string()))

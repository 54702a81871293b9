import * as z from 'zod/mini'

/** Protections from the strictest to the weakest. */
export const protections = ['read-only', 'confirm', 'off'] as const
export type Protection = (typeof protections)[number]

export type ProfileSetting = SettingParts & (DefaultOfFlag | OwnSetting)

/** A setting that is the default of the flag with the same name. The flag parses its text. The audit log shows its title and value. */
interface DefaultOfFlag {
  schema: z.ZodMiniType<string>
  isDefault: true
  audit?: undefined
}

interface OwnSetting {
  schema: z.ZodMiniType
  isDefault?: undefined
  /** The change as text for the audit log, without secrets and personal data. An empty value removes the setting. */
  audit(value: never): string
}

interface SettingParts {
  /** The schema of this field in the profile file. */
  schema: z.ZodMiniType
  /** The field name in JSON. Undefined if the column of another setting shows the setting. */
  key?: string
  title?: string
  /** Fields of the profile that are removed when this setting changes. */
  resets?: readonly ('unlock' | 'fingerprint')[]
}

/**
 * The settings of a profile. This table determines how they appear in the profile file, in JSON, in columns, and in the audit log.
 * `commands/profiles/set.ts` defines a flag for each setting.
 */
export const settings = {
  protect: {
    schema: z.enum(protections),
    audit: (level: Protection) => `protection ${level}`,
    resets: ['unlock'],
  },
  baseUrl: { schema: z.string(), audit: () => 'base URL' },
  /** Shell command that prints the key, for the store `command`. After this setting changes, the next printed key is trusted. */
  keyCommand: { schema: z.string(), audit: () => 'key command', resets: ['fingerprint'] },
  /** Whether to show reference values (default: no). The service does not return these values. */
  reference: {
    schema: z.boolean(),
    audit: (isOn: boolean) => `reference ${isOn ? 'on' : 'off'}`,
    key: 'reference',
    title: 'Reference values',
  },
  /** Shell command that receives the entries of the audit log on its standard input. */
  auditCommand: {
    schema: z.string(),
    audit: (command: string) => (command === '' ? 'audit command removed' : 'audit command'),
    key: 'audit_command',
    title: 'Audit command',
  },
  timezone: { schema: z.string(), key: 'timezone', title: 'Time zone', isDefault: true },
  language: { schema: z.string(), key: 'language', title: 'Language', isDefault: true },
  rate: { schema: z.string(), key: 'rate', title: 'Rate', isDefault: true },
  output: { schema: z.string(), key: 'output', title: 'Output', isDefault: true },
} as const satisfies Record<string, ProfileSetting>

type SettingTable = typeof settings
export type SettingName = keyof SettingTable
/** Names of the settings that have the property `key`. Only these settings are fields in JSON. */
type ShownName = {
  [Name in SettingName]: SettingTable[Name] extends { key: string } ? Name : never
}[SettingName]
type DefaultName = {
  [Name in SettingName]: SettingTable[Name] extends { isDefault: true } ? Name : never
}[SettingName]

export type SettingValues = { [Name in SettingName]?: z.infer<SettingTable[Name]['schema']> | undefined }
export type Defaults = Pick<SettingValues, DefaultName>

export const settingNames = Object.keys(settings) as readonly SettingName[]
export const defaultNames = settingNames.filter((name): name is DefaultName => 'isDefault' in settings[name])
export const shownSettings = settingNames
  .filter((name): name is ShownName => 'key' in settings[name])
  .map((name) => ({ name, ...settings[name] }))

export function auditText(name: SettingName, value: unknown): string {
  const { audit, title = name }: ProfileSetting = settings[name]
  return audit ? audit(value as never) : `${title.toLowerCase()} ${value === '' ? 'removed' : value}`
}

export function defaultsOf(profile: SettingValues): Defaults {
  return Object.fromEntries(defaultNames.map((name) => [name, profile[name]]))
}

/** The fields of the settings in the profile file. */
export const storedSettings = Object.fromEntries(
  settingNames.map((name) => [name, z.optional(settings[name].schema)]),
) as { [Name in SettingName]: z.ZodMiniOptional<SettingTable[Name]['schema']> }

/** The fields of the settings in the JSON of a profile. */
export const shownSchemas = Object.fromEntries(
  shownSettings.map(({ key, schema }) => [key, z.nullable(schema)]),
) as { [Name in ShownName as SettingTable[Name]['key']]: z.ZodMiniNullable<SettingTable[Name]['schema']> }

export type ShownSettings = { [Key in keyof typeof shownSchemas]: z.infer<(typeof shownSchemas)[Key]> }

export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const
export const colorModes = ['auto', 'always', 'never'] as const

export type OutputFormat = (typeof outputFormats)[number]
export type ColorMode = (typeof colorModes)[number]

/** The output flags of a command. `fields` and `jq` imply a JSON format. */
export interface OutputSettings {
  format: OutputFormat
  /** `--json=field,field` */
  fields?: readonly string[] | undefined
  jq?: string | undefined
  header: boolean
  truncate: boolean
  /** CSV for Excel: a byte order mark, and an apostrophe before text that looks like a formula. */
  excel: boolean
}

export type TableSettings = Pick<OutputSettings, 'header' | 'truncate'>

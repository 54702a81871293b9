export const outputFormats = ['table', 'json', 'ndjson', 'csv', 'tsv'] as const
export const colorModes = ['auto', 'always', 'never'] as const

export type OutputFormat = (typeof outputFormats)[number]
export type ColorMode = (typeof colorModes)[number]

/** What the person asked of the output, read from the flags once. `fields` and `jq` imply a JSON format. */
export interface OutputSettings {
  format: OutputFormat
  /** `--json=field,field` */
  fields?: readonly string[] | undefined
  jq?: string | undefined
  header: boolean
  truncate: boolean
  /** CSV for Excel: byte order mark, and cells that look like formulas made harmless. */
  excel: boolean
  /** Mutes remarks such as "no scans yet", never data or errors. */
  quiet: boolean
}

/** An output format. The renderers are in `people.ts`, `value-formats.ts`, and `separated.ts`. */
interface OutputFormatFacts {
  /** The description in `facescan help formats`. */
  summary: string
  /** Form of the output: text for people, one value with nested fields, or rows with columns. */
  shape: 'people' | 'value' | 'rows'
  /** Whether the format can be combined with `--json` and `--jq`. */
  isJson: boolean
  /** Whether results can be printed one after another. Otherwise, a run prints one document. */
  streams: boolean
  /** File name extensions that select the format, as in `--out list.csv`. */
  endings: readonly string[]
}

export const formats = {
  table: {
    summary: 'default; in a pipe, tab-separated, by default without color',
    shape: 'people',
    isJson: false,
    streams: true,
    endings: [],
  },
  json: {
    summary: 'one document, with the field names of the service',
    shape: 'value',
    isJson: true,
    streams: false,
    endings: ['.json'],
  },
  ndjson: {
    summary: 'one JSON value per line',
    shape: 'value',
    isJson: true,
    streams: true,
    endings: ['.ndjson', '.jsonl'],
  },
  yaml: {
    summary: 'one document with the same data as the JSON output',
    shape: 'value',
    isJson: false,
    streams: false,
    endings: ['.yaml', '.yml'],
  },
  csv: {
    summary: 'RFC 4180; `--excel` adds a byte order mark and disables formulas',
    shape: 'rows',
    isJson: false,
    streams: false,
    endings: ['.csv'],
  },
  tsv: {
    summary: 'tab-separated; tabs and line feeds in values are escaped',
    shape: 'rows',
    isJson: false,
    streams: false,
    endings: ['.tsv'],
  },
} as const satisfies Record<string, OutputFormatFacts>

export type OutputFormat = keyof typeof formats
export const outputFormats = Object.keys(formats) as OutputFormat[]

type FormatOf<Shape> = {
  [Name in OutputFormat]: (typeof formats)[Name] extends { shape: Shape } ? Name : never
}[OutputFormat]
export type RowsFormat = FormatOf<'rows'>
export type ValueFormat = FormatOf<'value'>

export function isOutputFormat(text: string): text is OutputFormat {
  return Object.hasOwn(formats, text)
}

export function hasRows(format: OutputFormat): format is RowsFormat {
  return formats[format].shape === 'rows'
}

export function isValue(format: OutputFormat): format is ValueFormat {
  return formats[format].shape === 'value'
}

export function isForPeople({ format }: Pick<OutputSettings, 'format'>): boolean {
  return formats[format].shape === 'people'
}

/** Whether `imports merge` can join files of this format. Each result must be one or more complete lines. */
export function canMerge(format: OutputFormat): boolean {
  return hasRows(format) || (isValue(format) && formats[format].streams)
}

/** The format for a file name extension with its dot, such as `.csv`. */
export function formatOfEnding(ending: string): OutputFormat | undefined {
  return outputFormats.find((name) => formats[name].endings.some((known) => known === ending.toLowerCase()))
}

export const colorModes = ['auto', 'always', 'never'] as const
export type ColorMode = (typeof colorModes)[number]

/** The output flags of a command. `fields` and `jq` imply a JSON format. */
export interface OutputSettings {
  readonly format: OutputFormat
  /** Whether a flag of the command line selects the format. */
  readonly isExplicit?: boolean
  /** The fields of `--json=field,field`. */
  readonly fields?: readonly string[] | undefined
  readonly jq?: string | undefined
  readonly header: boolean
  readonly truncate: boolean
  /** CSV for Excel: a byte order mark, and an apostrophe before text that looks like a formula. */
  readonly excel: boolean
}

export type TableSettings = Pick<OutputSettings, 'header' | 'truncate'>

/** How text is marked up on a terminal; every function is the identity where there is no colour. */
export interface Pen {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  /** Columns the terminal has; 80 where unknown. */
  readonly width: number
  /** Whether drawings are welcome: false off a terminal and with ACCESSIBLE. */
  readonly pictures: boolean
  /** Milliseconds since the epoch, for relative times. */
  readonly now: number
}

export interface Column<Row> {
  /** The machine name: CSV heading and JSON field. */
  key: string
  /** The heading a person reads, with the unit where there is one. */
  title: string
  align?: 'left' | 'right'
  /** The machine value; `row[key]` where absent. */
  value?(row: Row): unknown
  /** The text a person sees; the machine value as text where absent. */
  cell?(row: Row, pen: Pen): string
  /** Never cut short: ids and URLs. */
  whole?: boolean
}

/** A list: one row for each item. JSON passes the value through, the tabular formats use the columns. */
export interface ListView<T, Row> {
  kind: 'list'
  rows(value: T): readonly Row[]
  columns: readonly Column<Row>[]
  /** What a person reads instead of an empty table: what it means and what to do next. */
  empty: string
  /** Printed for people only, above or below the table, such as a chart. */
  before?(value: T, pen: Pen): string | undefined
  after?(value: T, pen: Pen): string | undefined
}

/** One record, shown to people as a label and a value on each line. */
export interface RecordView<T> {
  kind: 'record'
  columns: readonly Column<T>[]
  before?(value: T, pen: Pen): string | undefined
  after?(value: T, pen: Pen): string | undefined
}

/** A bare value such as a token: just the text in every human form, JSON-encoded in the machine forms. */
export interface ScalarView<T> {
  kind: 'scalar'
  text(value: T): string
}

// biome-ignore lint/suspicious/noExplicitAny: a list view hides its row type from whoever prints it
export type View<T> = ListView<T, any> | RecordView<T> | ScalarView<T>

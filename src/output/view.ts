/** How text is marked up on a terminal; every function is the identity where there is no colour. */
export interface Pen {
  bold(text: string): string
  dim(text: string): string
  red(text: string): string
  green(text: string): string
  yellow(text: string): string
  cyan(text: string): string
  readonly color: boolean
  /** Whether a person watches the stream: relative times, tables that fit. */
  readonly terminal: boolean
  /** Columns the terminal has; 80 where unknown. */
  readonly width: number
  /** Lines the terminal has; 24 where unknown. */
  readonly height: number
  /** Whether drawings are welcome: false off a terminal, with TERM=dumb and with ACCESSIBLE. */
  readonly pictures: boolean
  /** Milliseconds since the epoch, for relative times. */
  readonly now: number
}

/** Rows reach `value`, `cell`, `before`, `after` and `draw` with control characters already made visible for people. */
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
  /** The machine value is an ISO 8601 time: relative on a terminal, RFC 3339 elsewhere. */
  time?: boolean
  /** Never cut short: ids and URLs. */
  whole?: boolean
  /** Shown to people only (a sparkline), or to machines only (what a person does not need to see). */
  only?: 'people' | 'machines'
}

/** Printed on a terminal only, above or below the rest: a heading, a chart, what to do next. */
interface Surroundings<T> {
  before?(value: T, pen: Pen): string | undefined
  after?(value: T, pen: Pen): string | undefined
}

/** A list: one row for each item. JSON passes the value through, the tabular formats use the columns. */
export interface ListView<T, Row> extends Surroundings<T> {
  kind: 'list'
  rows(value: T): readonly Row[]
  columns: readonly Column<Row>[]
  /** What a person reads (on stderr) instead of an empty table: what it means and what to do next. */
  empty: string
}

/** One record, shown to people as a label and a value on each line. */
export interface RecordView<T> extends Surroundings<T> {
  kind: 'record'
  columns: readonly Column<T>[]
}

/** A bare value such as a token: just the text in every human form, JSON-encoded in the machine forms. */
export interface ScalarView<T> extends Surroundings<T> {
  kind: 'scalar'
  text(value: T): string
}

/** A drawing for people, or its text equivalent where `pen.pictures` is false; machines get `data`, as does whoever `draw` has nothing for. */
export interface DrawnView<T> {
  kind: 'drawn'
  draw(value: T, pen: Pen): string | undefined
  data: ListView<T, unknown> | RecordView<T>
}

/** A list view hides its row type from whoever prints it. */
export type View<T> = ListView<T, unknown> | RecordView<T> | ScalarView<T> | DrawnView<T>

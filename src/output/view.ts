import type { TableSettings } from './settings.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

/** Terminal properties and styles for one stream. If `color` is false, every style returns its text unchanged. */
export interface Terminal extends Readonly<Record<Style, (text: string) => string>> {
  readonly color: boolean
  /** Whether the stream is a terminal. A terminal shows relative times, and tables that fit its width. */
  readonly isTTY: boolean
  /** Columns of the terminal (default 80). */
  readonly width: number
  /** Rows of the terminal (default 24). */
  readonly height: number
  /** Whether to draw bars, charts, and symbols. False for a pipe, and if TERM is dumb or ACCESSIBLE is set. */
  readonly pictures: boolean
  /** Milliseconds since 1970, for relative times. */
  readonly now: number
  /** Whether to show reference values (zones, directions, averages). The service does not return them. */
  readonly reference: boolean
}

/** Fields of a column. In output for people, control characters are escaped before a view receives the values. */
interface ColumnFields<Row> {
  /** Field name in machine formats: CSV header, JSON field. */
  key: string
  /** Heading for people, with the unit if there is one. */
  title: string
  /** `right` is for numbers, and aligns their decimal points. */
  align?: 'left' | 'right'
  /** The value in machine-readable output, such as JSON and CSV (default: `row[key]`). */
  value?(row: Row): unknown
  /** The text for people (default: the machine value as text). */
  cell?(row: Row, terminal: Terminal): string
  /** Whether the value is an ISO 8601 time. A terminal shows it as a relative time. */
  time?: boolean
  /** Whether the text is never truncated, as for IDs, URLs, and short words. */
  whole?: boolean
  /** Whether long text continues on the next line instead of being truncated. */
  wrap?: boolean
  /** If a table is too wide, columns with the lowest priority (default 0) are omitted. The first column is never omitted. */
  priority?: number
  /** Limits the column to terminals that draw pictures, to machine formats, or to terminals (default: all output). */
  only?: 'pictures' | 'machines' | 'terminal'
}

/** A type that no value has. If the key of a column is wrong, the compiler error lists the valid fields because of this type. */
type AnyKeyWithValue = string & { never: never }

/** A column for a field of the row. Only fields in the contract are allowed, although a response may contain more fields. */
interface FieldColumn<Row> extends ColumnFields<Row> {
  key:
    | (keyof { [Name in keyof Row as string extends Name ? never : Name]: unknown } & string)
    | AnyKeyWithValue
}

/** A column for a value that is not a field of the row. It must define `value`. */
interface ComputedColumn<Row> extends ColumnFields<Row> {
  value(row: Row): unknown
}

/** A column with a drawing. It has no `value`, because machine formats contain no drawings. */
interface DrawnColumn<Row> extends ColumnFields<Row> {
  only: 'pictures'
  cell(row: Row, terminal: Terminal): string
}

export type Column<Row> = FieldColumn<Row> | ComputedColumn<Row> | DrawnColumn<Row>

export type AnyColumn = ColumnFields<unknown>

interface ForPeople<T> {
  /** Heading such as `Face scans`. On a terminal, the heading and the user are shown above the result. */
  subject?: string
  /** Text that a terminal shows above or below the data: a heading, a legend, or a next step. */
  before?(value: T, terminal: Terminal): string | undefined
  after?(value: T, terminal: Terminal): string | undefined
  /** Draws the data instead of a table. Returns undefined if there is nothing to draw. */
  draw?(value: T, terminal: Terminal, table: TableSettings): string | undefined | Promise<string | undefined>
  /** Whether the view shows reference values if `terminal.reference` is true. */
  reference?: boolean
}

export interface NextSteps {
  /** Returns a suggested command for the same user as the current command. */
  command(words: string): string
  /** Whether the service is the built-in sandbox, where synthetic scans can be recorded. */
  isSandbox: boolean
}

/** A view with one row per item. JSON contains the unchanged value. Tables, CSV, and TSV contain the columns. */
export interface ListView<in T, Row> extends ForPeople<T> {
  rows(value: T): readonly Row[]
  columns: readonly Column<Row>[]
  /** Text on stderr instead of an empty table: the reason and the next step. */
  empty: string | ((next: NextSteps) => string)
}

/** A view for a list. If `rows` is undefined, the items of the list are the rows. */
export interface ItemsView<Item> extends ForPeople<readonly Item[]> {
  rows?(items: readonly Item[]): readonly unknown[]
  columns: readonly Column<Item>[]
  empty: ListView<unknown, unknown>['empty']
}

export interface RecordView<in T> extends ForPeople<T> {
  columns: readonly Column<T>[]
}

/** A single value such as a token. It is plain text for people, and a JSON string in machine formats. */
export interface ScalarView<in T> extends ForPeople<T> {
  text(value: T): string
}

export type View<T, Row> = ListView<T, Row> | RecordView<T> | ScalarView<T>

export type AnyView<T> =
  | (Omit<ListView<T, unknown>, 'columns'> & { columns: readonly AnyColumn[] })
  | (ForPeople<T> & { columns: readonly AnyColumn[] })
  | ScalarView<T>

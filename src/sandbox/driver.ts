type Value = string | number | bigint | null

export interface Statement<Row = unknown> {
  run(...values: Value[]): { changes: number | bigint }
  get(...values: Value[]): Row | undefined
  all(...values: Value[]): Row[]
}

export interface Driver {
  prepare(sql: string): Pick<Statement, 'run' | 'all'>
  exec(sql: string): unknown
  close(): unknown
}

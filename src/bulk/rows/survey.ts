import type { Question } from '../questions.ts'
import type { Cells } from '../scan/cells.ts'
import type { ColumnSurvey } from './column-survey.ts'
import type { Table } from './table.ts'
import { IdSurvey } from './user-ids.ts'

/** Finds questions about a file that only a person can answer, from all rows. */
export class Survey {
  private readonly table: Table
  private readonly ids: IdSurvey | undefined
  private readonly columns: ColumnSurvey | undefined

  constructor(table: Table, columns?: ColumnSurvey) {
    this.table = table
    this.ids = table.rules.ids === undefined ? new IdSurvey() : undefined
    this.columns = columns
  }

  /** Records the cells of a record. Call this after the cells were trimmed. */
  note(cells: Cells, line: number): void {
    const { external_user_id: external } = this.table.layout.columns
    if (external >= 0) {
      this.ids?.note(cells.bytes, cells.starts[external] as number, cells.ends[external] as number)
    }
    this.columns?.note(cells, line)
  }

  /** The questions in the order in which a person needs them. */
  questions(): Question[] {
    const aboutIds = this.ids?.question() ?? []
    return this.columns?.questions(aboutIds) ?? [...this.table.questions, ...aboutIds]
  }
}

/** Throws an error with the questions about a file, if there are any. */
export async function throwUnclear(name: string, questions: readonly Question[]): Promise<void> {
  if (questions.length === 0) return
  const { UnclearFile } = await import('../questions.ts')
  throw new UnclearFile(name, questions)
}

/** A survey of all columns, or only of the IDs if the other columns of the file need no questions. */
export async function openSurvey(table: Table): Promise<Survey> {
  const { rules, input, layout } = table
  const hasUnread = rules.kind === 'answers' && layout.unread.length > 0
  const needsColumns = rules.kind === 'users' || input.isAssumed || hasUnread
  if (!needsColumns) return new Survey(table)
  const { ColumnSurvey } = await import('./column-survey.ts')
  return new Survey(table, new ColumnSurvey(table))
}

import { UsageError } from '../../base/errors.ts'
import { hideKeysIn, keysIn } from '../../base/mask.ts'
import { count } from '../../base/text.ts'
import { uuidPattern } from '../../contract/values.ts'
import type { Prompt, Question, Setting } from '../questions.ts'
import { trimmedText } from '../scan/cells.ts'
import { userKinds } from '../types.ts'
import {
  dataHeader,
  hasMeaning,
  isUserField,
  layoutOf,
  ownColumns,
  readAsOf,
  refuseData,
} from './column-names.ts'
import { isDateLike } from './dates.ts'
import { fieldNames, shownName } from './fields.ts'
import { similarTo } from './similar.ts'
import { isResultColumn, type TableRules } from './table.ts'

/** Maximum number of columns, as in spreadsheet programs. More columns would take minutes to compare. */
const maxColumns = 16_384

interface HeaderColumn {
  name: string
  /** The name for messages and flags. */
  text: string
  cells: readonly string[]
  /** The meaning of the column (see `readAsOf`). */
  readAs: string
}

type Rows = readonly (readonly string[])[]

/**
 * Determines the content of each column of a table. `rows` are the first rows. `layout` is undefined if no column can contain the users.
 * It assumes the most likely answers to the questions, so that all rows can be checked at once.
 */
export function decideHeader(header: readonly string[], rules: TableRules, rows: Rows) {
  const { length } = header
  const problem = `the header has ${count(length)} columns; at most ${count(maxColumns)} are supported`
  const hint = 'Split the file, or check --delimiter and --header-line.'
  if (length > maxColumns) throw new UsageError(problem, { hint })
  const { names } = ownColumns(header)
  const readAs = names.map((name) => readAsOf(name, rules))
  refuseData(names, readAs, rules.kind)
  const decision = new Decision(names, rules, rows)
  const { map, questions, columns, isNamed } = decision
  if (decision.hasUser) return { layout: layoutOf(header, { ...rules, map }), questions, isNamed }
  if (columns.some(isData)) throw dataHeader(rules.kind)
  const [only, ...others] = columns
  if (only && others.length === 0 && keysIn(only.text).length > 0)
    throw new UsageError('the file contains an API key or a token instead of rows; nothing was sent')
  return { layout: undefined, questions: [decision.userQuestion()], isNamed }
}

/** The columns of a table, or the keys of JSON lines, and their probable meanings. */
export class Decision {
  readonly columns: readonly HeaderColumn[]
  readonly questions: Question[] = []
  /** The field for each column name: from `--map`, or suggested. */
  readonly map: Record<string, string>
  /** Whether the name of the user column shows that it contains users. */
  readonly isNamed: boolean
  private readonly rules: TableRules

  constructor(names: readonly string[], rules: TableRules, rows: Rows) {
    this.columns = names.map((name, column) => {
      const cells = rows.map((row) => trimmedText(row[column] ?? ''))
      return { name, text: shownName(name), cells, readAs: readAsOf(name, rules) }
    })
    this.rules = rules
    // The object has no prototype, so a column can have the name __proto__.
    this.map = Object.assign(Object.create(null), rules.map)
    this.askAboutUuids()
    this.askAboutUsers()
    this.askAboutSimilar()
    this.isNamed = this.hasUser
    if (!this.isNamed) this.suggestUser()
  }

  get hasUser(): boolean {
    return userKinds.some((kind) => this.isRead(kind))
  }

  /** Asks which column contains the user IDs. Used if no column looks like a column of user IDs. */
  userQuestion(): Question {
    const free = this.columns.filter(({ readAs }) => !this.hasMeaning(readAs))
    const problem = `no column is named external_user_id or user_id; the columns are ${listOf(this.columns)}`
    return userQuestion(problem, free)
  }

  /** Asks about a column whose name is similar to `user_id`, because it usually contains the customer's own IDs. */
  private askAboutUuids(): void {
    for (const column of this.columns) {
      const { text, cells, readAs } = column
      if (readAs !== 'user_id' || text === 'user_id') continue
      if (cells.every((cell) => cell === '' || uuidPattern.test(cell))) continue
      const problem = `column "${text}" contains IDs that are not UUIDs, so it is not the user_id of the service`
      this.suggest(column, this.isRead('external_user_id') ? '' : 'external_user_id', problem)
    }
  }

  /** Asks which of several ID columns identifies the user. */
  private askAboutUsers(): void {
    const users = this.columns.filter(
      (column) => this.similarField(column) === 'external_user_id' && areIdLike(column),
    )
    const [first] = users
    if (this.hasUser || users.length < 2 || !first) return
    this.set(first, 'external_user_id')
    this.questions.push(userQuestion('several columns may contain the user IDs', users))
  }

  private askAboutSimilar(): void {
    for (const column of this.columns) {
      const field = this.similarField(column)
      const isTaken = field === undefined || this.isRead(field) || (isUserField(field) && this.hasUser)
      if (isTaken || !this.isUseful(field)) continue
      if (field !== 'external_user_id' || areIdLike(column))
        this.suggest(column, field, `column "${column.text}" is probably ${field}`)
    }
  }

  /** Suggests the first unknown column with different IDs: digits, no spaces, and neither dates nor row numbers. */
  private suggestUser(): void {
    const column = this.columns.find((column) => {
      const { text, cells, readAs } = column
      const isId = cells.every((cell) => /^[\w./-]+$/.test(cell) && /\d/.test(cell)) && !isDates(column)
      const isFree = readAs !== '' && !this.hasMeaning(readAs)
      const areDifferent = cells.length > 0 && new Set(cells).size === cells.length
      return text !== '' && isFree && isId && areDifferent && !isData(column) && !isNumbering(column)
    })
    if (!column) return
    const others = this.questions.splice(0)
    const problem = `no column is named like a user ID, and "${column.text}" contains IDs; the columns are ${listOf(this.columns)}`
    this.suggest(column, 'external_user_id', problem)
    this.questions.push(...others)
  }

  private suggest(column: HeaderColumn, field: string, problem: string): void {
    this.set(column, field)
    const { text, cells } = column
    const prompts = [columnPrompt(this.rules, text, field, cells.find(Boolean))]
    this.questions.push({ problem, suggested: { map: { [text]: field } }, prompts, isPlain: true })
  }

  private set(column: HeaderColumn, field: string): void {
    this.map[column.name] = field
    column.readAs = field
  }

  private isRead(field: string): boolean {
    return this.columns.some(({ readAs }) => readAs === field)
  }

  private similarField({ readAs }: HeaderColumn): string | undefined {
    const { kind, known = [] } = this.rules
    if (readAs === '' || readAs.startsWith('_') || this.hasMeaning(readAs)) return undefined
    return similarTo(readAs, kind, kind === 'answers' ? known : [])
  }

  private hasMeaning(readAs: string): boolean {
    return isResultColumn(readAs) || hasMeaning(readAs, this.rules)
  }

  /** Whether a column can be this field. The field `value` does not exist if each lookup key has its own column. */
  private isUseful(field: string): boolean {
    const { known = [] } = this.rules
    const isWide = known.some((key) => this.isRead(key)) && !this.isRead('lookup_key')
    return !(isWide && (field === 'lookup_key' || field === 'value'))
  }
}

/** Asks for the meaning of a column. `probable` is the first choice. The choice '' ignores the column. */
export function columnPrompt(
  { kind, known = [] }: TableRules,
  name: string,
  probable: string,
  example = '',
): Prompt {
  const targets = [...new Set([probable, '', ...fieldNames(kind), ...(kind === 'answers' ? known : [])])]
  const set = (target: string): Setting =>
    target === '' ? { ignoreColumns: [name] } : { map: { [name]: target } }
  // API keys are hidden before the example is shortened, because a shortened API key is not recognized.
  const shown = hideKeysIn(example) === example ? example.slice(0, 30) : hideKeysIn(example)
  return {
    label: `Column "${name}"${example === '' ? '' : ` (${shown})`} is`,
    choices: targets.map((target) => ({ name: target || 'not read', set: set(target) })),
  }
}

/** Maximum number of rows with labels below the header. Survey programs write such rows. */
const mostLabels = 2

/** Whether a column can contain IDs. Cells with spaces are probably names, but up to two such cells above IDs with digits can be labels. */
function areIdLike({ cells }: HeaderColumn): boolean {
  const isOther = (cell: string) => /[\s@]/.test(cell)
  const labels = cells.slice(0, mostLabels).findLastIndex(isOther) + 1
  const ids = cells.slice(labels)
  if (ids.some(isOther)) return false
  return labels === 0 || (ids.length > 0 && ids.every((cell) => /\d/.test(cell)))
}

/** Whether the cells are 0, 1, 2 or 1, 2, 3, and so on. Such a column probably numbers the rows. */
function isNumbering({ cells: [first = '', ...others] }: HeaderColumn): boolean {
  return /^[01]$/.test(first) && others.every((cell, at) => cell === `${Number(first) + at + 1}`)
}

function isDates({ cells }: HeaderColumn): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 0 && filled.every(isDateLike)
}

/** Whether a column name is probably itself a user ID, such as A1 above cells such as A2. */
function isData({ text, cells }: HeaderColumn): boolean {
  const shapeOf = (one: string) => one.replace(/\d/g, '9').replace(/\p{L}/gu, 'a')
  return /\d/.test(text) && cells.some((cell) => shapeOf(cell) === shapeOf(text))
}

function listOf(columns: readonly HeaderColumn[]): string {
  const names = columns.filter(({ text }) => text !== '').map(({ text }) => `"${text}"`)
  return names.join(', ')
}

function userQuestion(problem: string, columns: readonly HeaderColumn[]): Question {
  const choices = columns
    .filter((column) => column.text !== '' && !isDates(column))
    .map(({ text, cells }) => {
      return { name: `${text}: ${cells.find(Boolean) ?? ''}`, set: { map: { [text]: 'external_user_id' } } }
    })
  return { problem, prompts: [{ label: 'Column with the user IDs', choices }] }
}

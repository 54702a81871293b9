import { uuidPattern } from '../../contract/values.ts'
import type { Prompt, Question, Setting } from '../questions.ts'
import { trimmedText } from '../scan/cells.ts'
import { fieldNamed, fields, similarTo } from './fields.ts'
import {
  type HeaderRules,
  type Layout,
  layoutOf,
  ownColumns,
  readAsOf,
  refuseData,
  resultColumns,
} from './layout.ts'

const idFields = ['external_user_id', 'user_id']

interface Decided {
  /** Undefined if no column can contain the users. */
  layout?: Layout
  /** What a person must decide. The layout contains the most likely answers, so that all rows can be checked. */
  questions: Question[]
}

/** Finds out what each column contains. `rows` are the first rows of the table. */
export function decideHeader(
  header: readonly string[],
  rules: HeaderRules,
  rows: readonly (readonly string[])[],
): Decided {
  const { names } = ownColumns(header)
  const questions: Question[] = []
  const map = { ...rules.map }
  const readAs = () => names.map((name) => readAsOf(name, { ...rules, map }))
  let found = readAs()
  const suggest = (name: string, field: string, problem: string) => {
    map[name] = field
    found = readAs()
    const text = trimmedText(name)
    const example = rows.map((row) => trimmedText(row[names.indexOf(name)] ?? '')).find(Boolean)
    const prompts = [columnPrompt({ rules }, text, field, example)]
    questions.push({ problem, suggested: { map: { [text]: field } }, prompts, isPlain: true })
  }
  refuseData(names, found, rules.kind)
  for (const name of namesWithoutUuids(names, found, rows)) {
    const isTaken = found.includes('external_user_id')
    const problem = `column "${name}" contains IDs that are not UUIDs, so it is not the user_id of the service`
    suggest(name, isTaken ? '' : 'external_user_id', problem)
  }
  for (const [column, name] of names.entries()) {
    const text = trimmedText(name)
    const target = found[column] ?? ''
    if (target === '' || target.startsWith('_') || hasMeaning(target, rules)) continue
    const field = similarTo(target, rules.kind, rules.kind === 'answers' ? (rules.known ?? []) : [])
    const isUserFound = found.some((other) => idFields.includes(other))
    const isTaken = field === undefined || found.includes(field) || (idFields.includes(field) && isUserFound)
    const cells = rows.map((row) => trimmedText(row[column] ?? ''))
    if (!isTaken && isUseful(field, found, rules) && (field !== 'external_user_id' || cells.every(isIdLike)))
      suggest(name, field, `column "${text}" is probably ${field}`)
  }
  if (!found.some((name) => idFields.includes(name))) {
    const isFree = (column: number) => found[column] !== '' && !hasMeaning(found[column] ?? '', rules)
    const others = questions.splice(0)
    suggestUser(names, isFree, rows, suggest)
    questions.push(...others)
  }
  if (!found.some((name) => idFields.includes(name))) return { questions: [userQuestion(names, rows)] }
  return { layout: layoutOf(header, { ...rules, map }), questions }
}

/** Asks for the meaning of a column. The probable field is the first choice; '' ignores the column. */
export function columnPrompt(
  { rules: { kind, known = [] } }: { rules: HeaderRules },
  name: string,
  probable: string,
  example = '',
): Prompt {
  const ofKind = fields.filter((field) => field.kinds.includes(kind)).map((field) => field.name)
  const targets = [...new Set([probable, '', ...ofKind, ...(kind === 'answers' ? known : [])])]
  const set = (target: string): Setting =>
    target === '' ? { ignoreColumns: [name] } : { map: { [name]: target } }
  return {
    label: `Column "${name}"${example === '' ? '' : ` (${example.slice(0, 30)})`} is`,
    choices: targets.map((target) => ({ name: target || 'not read', set: set(target) })),
  }
}

/** Names of people contain spaces. */
function isIdLike(cell: string): boolean {
  return !/[\s@]/.test(cell)
}

function hasMeaning(target: string, { kind, known = [] }: HeaderRules): boolean {
  const isResult = resultColumns.some((name) => name === target)
  return isResult || known.includes(target) || fieldNamed(target, kind) !== undefined
}

/** Words such as "answer" are not a field of a table with one column per lookup key. */
function isUseful(field: string, found: readonly string[], { known = [] }: HeaderRules): boolean {
  const isWide = found.some((name) => known.includes(name)) && !found.includes('lookup_key')
  return !(isWide && (field === 'lookup_key' || field === 'value'))
}

/** A column named like `user_id`, but not exactly, is usually the company's own number. */
function namesWithoutUuids(
  names: readonly string[],
  readAs: readonly string[],
  rows: readonly (readonly string[])[],
): string[] {
  return names.filter((name, column) => {
    if (readAs[column] !== 'user_id' || trimmedText(name) === 'user_id') return false
    const cells = rows.map((row) => trimmedText(row[column] ?? '')).filter(Boolean)
    const isBesideExact = names.some((other) => trimmedText(other) === 'user_id')
    return isBesideExact || cells.some((cell) => !uuidPattern.test(cell))
  })
}

const dateLike = /^\d{1,4}([./-])\d{1,2}\1\d{1,4}$/

/** Suggests the first column without a meaning that looks like IDs: filled, without spaces, all different, with digits, no dates. */
function suggestUser(
  names: readonly string[],
  isFree: (column: number) => boolean,
  rows: readonly (readonly string[])[],
  suggest: (name: string, field: string, problem: string) => void,
): void {
  const column = names.findIndex((name, at) => {
    const cells = rows.map((row) => trimmedText(row[at] ?? ''))
    const isId = cells.every((cell) => /^[\w./-]+$/.test(cell) && /\d/.test(cell) && !dateLike.test(cell))
    return (
      name.trim() !== '' &&
      isFree(at) &&
      cells.length > 0 &&
      isId &&
      new Set(cells).size === cells.length &&
      !isSameShape(name, cells)
    )
  })
  const name = names[column]
  if (name === undefined) return
  suggest(
    name,
    'external_user_id',
    `no column is named like a user ID, and "${trimmedText(name)}" contains IDs; the columns are ${listOf(names)}`,
  )
}

/** A name such as A1 above cells such as A2 is probably the first user. */
function isSameShape(name: string, cells: readonly string[]): boolean {
  const shapeOf = (text: string) => text.replace(/\d/g, '9').replace(/\p{L}/gu, 'a')
  return /\d/.test(name) && cells.some((cell) => shapeOf(cell) === shapeOf(trimmedText(name)))
}

function listOf(names: readonly string[]): string {
  return names
    .map(trimmedText)
    .filter(Boolean)
    .map((name) => `"${name}"`)
    .join(', ')
}

function userQuestion(names: readonly string[], rows: readonly (readonly string[])[]): Question {
  const choices = names.flatMap((name, column) => {
    const text = trimmedText(name)
    const example = rows.map((row) => trimmedText(row[column] ?? '')).find(Boolean)
    return text === ''
      ? []
      : [{ name: `${text}: ${example ?? ''}`, set: { map: { [text]: 'external_user_id' } } }]
  })
  const problem = `no column is named external_user_id or user_id; the columns are ${listOf(names)}`
  return { problem, prompts: [{ label: 'Column with the user IDs', choices }] }
}

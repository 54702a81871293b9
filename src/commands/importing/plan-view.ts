import { span } from '../../base/clock.ts'
import type { Problem } from '../../base/errors.ts'
import { count, countOf } from '../../base/text.ts'
import { describeNormalized } from '../../bulk/normalized.ts'
import { shownName } from '../../bulk/rows/fields.ts'
import type { Plan, PlanReport } from '../../bulk/schemas.ts'
import type { RowProblem } from '../../bulk/types.ts'
import type { RecordView } from '../../output/view.ts'
import { countFor } from './summary-view.ts'

const delimiterNames: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon' }

export const planView: RecordView<PlanReport> = {
  columns: [
    { key: 'name', title: 'Input' },
    { key: 'form', title: 'Form', cell: describeForm },
    { key: 'columns', title: 'Columns', cell: describeColumns },
    { key: 'normalized', title: 'Changed', cell: (plan) => describeNormalized(plan) ?? 'nothing' },
    { key: 'timezone', title: 'Time zone', cell: ({ timezone }) => timezone ?? 'from the file' },
    { key: 'rows', title: 'Rows', cell: describeRows },
    { key: 'users', title: 'Users', cell: ({ users }, terminal) => countFor(terminal, users) },
    { key: 'requests', title: 'Requests', cell: ({ requests }, terminal) => countFor(terminal, requests) },
    { key: 'host', title: 'To', cell: describeTarget },
    {
      key: 'estimated_seconds',
      title: 'Time',
      cell: describeTime,
    },
  ],
  after: (plan) => [...describeSample(plan), ...describeDoubts(plan)].join('\n'),
}

/** Describes the minimum duration of the import. The rate limit of the service is not included, because it is unknown before the import. */
function describeTime({ estimated_seconds: seconds, verification_seconds, latency_ms }: PlanReport): string {
  if (seconds === null) return 'unknown'
  const verification = verification_seconds === null ? '' : `, then ${span(verification_seconds)} to verify`
  const latency = latency_ms ? ` at ${latency_ms} ms per request` : ''
  return `at least ${span(seconds)}${verification}${latency}`
}

export function describeSample({ sample }: Plan): string[] {
  const rows = sample.map(
    ({ user, lookup_key, value, timezone }) => `  ${user}  ${lookup_key} = ${value}  (${timezone})`,
  )
  return rows.length === 0 ? [] : ['First answers to be sent:', ...rows]
}

function describeTarget({ profile, host }: PlanReport): string {
  return profile === null ? host : `${profile} (${host})`
}

function describeForm({ form, format, delimiter, encoding, gzip }: Plan): string {
  if (format === 'xlsx') return `${form} form, workbook${gzip ? ', gzipped' : ''}`
  // The output would escape a tab character, so the word `tab` is shown.
  const tab = format === 'tsv' ? 'tab' : undefined
  const name = delimiter && (tab ?? delimiterNames[delimiter.character] ?? delimiter.character)
  const found = delimiter?.from === 'option' ? 'set with --delimiter' : `detected from the ${delimiter?.from}`
  const separated = name === undefined ? '' : ` (delimiter: ${name}, ${found})`
  return `${form} form, ${format.toUpperCase()}${separated}, ${encoding}${gzip ? ', gzipped' : ''}`
}

function describeColumns({ columns, ignored_columns: ignored }: Plan): string {
  const read = columns
    .map(({ header, read_as }) => (header === read_as ? header : `${shownName(header)} as ${read_as}`))
    .join(', ')
  return ignored.length === 0 ? read : `${read}; not read: ${ignored.map(shownName).join(', ')}`
}

function describeRows({ rows, invalid, skipped, form }: Plan): string {
  const parts = [form === 'wide' ? countOf(rows, 'answer') : count(rows)]
  if (invalid > 0) parts.push(`of which ${count(invalid)} invalid`)
  if (skipped > 0) parts.push(`${count(skipped)} empty, skipped`)
  return parts.join(', ')
}

export function describePlan(plan: PlanReport): string[] {
  const { name, answers, invalid, users, requests, estimated_seconds: seconds, timezone } = plan
  const zone = timezone === undefined ? 'time zones from the file' : `time zone ${timezone}`
  const time = seconds === null ? '' : `, ${describeTime(plan)}`
  const changed = describeNormalized(plan)
  const valid = invalid > 0 ? ` (excluding ${count(invalid)} invalid)` : ''
  return [
    `${name}: ${describeForm(plan)}; ${describeColumns(plan)}; ${zone}`,
    `${countOf(answers, 'answer')}${valid} for ${countOf(users, 'user')} in ${countOf(requests, 'request')} to ${describeTarget(plan)}${time}`,
    ...(changed === undefined ? [] : [changed]),
  ]
}

const shownProblems = 20

/** Describes rows that are probably wrong. `listsInvalid`: omits unknown keys whose invalid rows are printed anyway. */
export function describeDoubts(plan: Plan, { listsInvalid = false } = {}): string[] {
  const { repeats } = plan
  const listed = new Set(listsInvalid ? plan.problems.slice(0, shownProblems).map(({ line }) => line) : [])
  const unknown_keys = plan.unknown_keys.filter(({ rows, first_line }) => rows > 1 || !listed.has(first_line))
  const keys = unknown_keys
    .slice(0, shownProblems)
    .map(
      ({ key, rows, first_line, nearest }) =>
        `unknown lookup key "${key}" in ${countOf(rows, 'row')}, first on line ${first_line}${nearest ? `; did you mean "${nearest}"?` : ''}`,
    )
  const moreKeys = unknown_keys.length - keys.length
  if (moreKeys > 0) keys.push(`and ${countOf(moreKeys, 'more unknown lookup key')}`)
  const [example] = repeats.examples
  const repeated = example
    ? [
        `${countOf(repeats.rows, 'row')} ${repeats.rows === 1 ? 'repeats' : 'repeat'} the user and lookup key of an earlier row; for example, ${example.lookup_key} on line ${example.line} (first on line ${example.first_line})`,
      ]
    : []
  const unusual = plan.unusual.map(
    ({ lookup_key, answers, usual }) =>
      `${countOf(answers, 'answer')} for ${lookup_key} ${answers === 1 ? 'is' : 'are'} outside ${usual} (usual values for adults, not a limit of the service)`,
  )
  return [...keys, ...repeated, ...unusual]
}

export function describeProblems({
  problems,
  invalid_in_input,
  format,
  encoding,
}: Plan): (string | Problem)[] {
  const shown = problems.slice(0, shownProblems)
  const more = invalid_in_input - new Set(shown.map(({ row }) => row)).size
  // For a UTF-8 file, the position is also correct in the file itself. For all other files, it is a position in the UTF-8 copy.
  const isUtf8 = format !== 'xlsx' && encoding.startsWith('UTF-8')
  return [
    ...shown.map((problem) => describeProblem(problem, isUtf8)),
    ...(more > 0 ? [`and ${count(more)} more`] : []),
  ]
}

function describeProblem(
  { line, offset, user, column, code, message }: RowProblem,
  hasOffset: boolean,
): Problem {
  const named = user === '' ? '' : `, user "${user}"`
  const inColumn = column === undefined ? '' : `, column ${shownName(column)}`
  const place = `line ${line}${named}${inColumn}${hasOffset ? `, byte ${offset}` : ''}`
  return { line, column, code, message, text: `${place}: ${message}` }
}

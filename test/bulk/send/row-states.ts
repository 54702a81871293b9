import { NetworkError } from '../../../src/base/errors.ts'
import type { JournalRecord } from '../../../src/bulk/journal/record.ts'
import { decide } from '../../../src/bulk/send/outcomes.ts'
import type { Evidence } from '../../../src/bulk/send/reconcile.ts'
import { markdownTable } from '../../helpers/generated.ts'
import { type RawRequest, reply, reset, type Script, type Step } from '../../helpers/hostile-server.ts'
import { batchesOf, hurriedClock, listed, obedient, type SendOptions, sendTo } from './fixture.ts'

/** Reaction of an import to the outcome of its first request. */
interface Reaction {
  states: string[]
  written: string
  next: string
}

interface Observed extends Pick<SendOptions, 'onAmbiguous'> {
  rows: readonly string[]
  /** First response of the service. If it is undefined, the service confirms the answers. */
  first: Step | undefined
  /** Response to a request for the list of answers. */
  list?: Step
  /** Event that ends the observation: the second request of any kind, or the second request that saves answers. */
  until: 'any request' | 'answers are sent'
}

/** Sends one batch to a service whose first response is `first`. Observes the reaction of the import. */
async function observe({ rows, first, list, until, onAmbiguous = 'hold' }: Observed): Promise<Reaction> {
  const clock = hurriedClock()
  const records: JournalRecord[] = []
  let next: string | undefined
  let sleeps: number[] = []
  const end = (description: string) => {
    if (next === undefined) sleeps = [...clock.sleeps]
    next ??= description
  }
  const onRecord = (record: JournalRecord) => {
    if (record.type === 'INTENT' && records.length > 0) end(describeRows(record.rows, rows.length, records))
    if (next === undefined && !['HEADER', 'CHECKPOINT'].includes(record.type)) records.push(record)
  }
  let posts = 0
  const script: Script = obedient((request) => {
    if (request.method === 'POST') return posts++ === 0 ? first : undefined
    if (until === 'any request') end(describeTarget(request))
    return request.target.startsWith('/v2/questions/answered') ? list : undefined
  })
  const { end: ended } = await sendTo(script, batchesOf(rows), { clock, onRecord, onAmbiguous })
  end(ended.done ? 'none' : 'none; the run stops')
  return {
    states: rows.map((_, position) => stateOf(position, records)),
    written: records.slice(1).map(describeRecord).join(', then ') || 'nothing',
    next: `${next}${describeWait(sleeps)}`,
  }
}

function describeRows(sent: number, before: number, records: readonly JournalRecord[]): string {
  if (sent === before) return 'the same rows'
  return records.some(({ type }) => type === 'REJECT') ? 'the other rows' : 'half of the rows'
}

function describeTarget({ target }: RawRequest): string {
  if (target.startsWith('/v2/users')) return 'the user'
  return target.startsWith('/v2/questions/answered') ? 'the user’s answers' : target
}

/** Describes the wait before the next request. A wait of at least 5 s, the timeout in `sendTo`, is called the settle time. */
function describeWait(sleeps: readonly number[]): string {
  if (sleeps.length === 0) return ''
  return sleeps.some((ms) => ms >= 5000) ? ', after the settle time' : ', after a wait'
}

function describeRecord(record: JournalRecord): string {
  return record.type === 'ACK' && record.rows === 0 ? 'ACK without rows' : record.type
}

function stateOf(position: number, records: readonly JournalRecord[]): string {
  const final = records.find(
    (record) => (record.type === 'REJECT' || record.type === 'UNKNOWN') && record.part.includes(position),
  )
  if (final) return final.type === 'REJECT' ? 'rejected' : 'unknown'
  const ack = records.find((record) => record.type === 'ACK')
  if (ack === undefined) return 'open'
  const isAccepted = ack.part === undefined ? ack.rows > 0 : ack.part.includes(position)
  return isAccepted ? 'accepted' : 'unsent'
}

const oneRow = ['u height 1']
const threeRows = ['u height 1', 'u weight 2', 'u age 3']
const namesRow = { detail: [{ loc: ['body', 0], msg: 'invalid' }] }

/** Properties of a request and its response that can change the reaction to a status. */
const shapes = [
  { title: 'one', rows: oneRow, body: '' },
  { title: 'several', rows: threeRows, body: '' },
  { title: 'several; the response names one', rows: threeRows, body: namesRow },
] as const

type Shape = (typeof shapes)[number]

/** Result of `decide` for a status, or for a request without a status. */
function actionOf(outcome: number | NetworkError, { rows, body }: Shape): string {
  const result =
    outcome instanceof NetworkError
      ? outcome
      : { status: outcome, headers: {}, durationMs: 1, body: Buffer.from(JSON.stringify(body)) }
  if ('status' in result && result.status < 300) return 'accept'
  const action = decide(result, rows.length, 0)
  return action.do === 'reconcile' ? `reconcile, failing ${action.failing}` : action.do
}

const statuses = Array.from({ length: 400 }, (_, index) => 200 + index)
const withoutStatus = [
  { outcome: new NetworkError('', true), title: 'provably not sent' },
  { outcome: new NetworkError('', false), title: 'connection lost, or timeout' },
]

interface OutcomeRow {
  shape: Shape
  shapeTitle: string
  action: string
  statuses: number[]
}

/** One row for each combination of action and response shape, with the statuses that lead to the action. */
function groupOutcomes(): OutcomeRow[] {
  const rows = new Map<string, OutcomeRow>()
  for (const status of statuses) {
    for (const [shape, shapeTitle] of distinctShapes(status)) {
      const action = actionOf(status, shape)
      const row = rows.get(`${shapeTitle} ${action}`) ?? { shape, shapeTitle, action, statuses: [] }
      row.statuses.push(status)
      rows.set(`${shapeTitle} ${action}`, row)
    }
  }
  return [...rows.values()]
}

function distinctShapes(status: number): [shape: Shape, title: string][] {
  const [one, several] = shapes
  const [first, second, third] = shapes.map((shape) => actionOf(status, shape))
  if (first === second && second === third) return [[several, 'any']]
  if (second === third) {
    return [
      [one, one.title],
      [several, several.title],
    ]
  }
  return shapes.map((shape) => [shape, shape.title])
}

/** The statuses as ranges, such as `500, 502 to 599`. */
function describeRanges(statuses: readonly number[]): string {
  const starts = statuses.filter((status) => !statuses.includes(status - 1))
  const ends = statuses.filter((status) => !statuses.includes(status + 1))
  return starts.map((start, at) => (start === ends[at] ? start : `${start} to ${ends[at]}`)).join(', ')
}

function describeStatuses({ statuses, shape, action }: OutcomeRow): string {
  const [first = 0] = statuses
  const others = withoutStatus.filter(({ outcome }) => actionOf(outcome, shape) === action)
  const numbers = statuses.length === 100 ? `${first / 100}xx` : describeRanges(statuses)
  return [statuses.length > 100 ? 'any other status' : numbers, ...others.map(({ title }) => title)].join(
    ', ',
  )
}

/** A Markdown table with the reaction of an import to every outcome of a request. */
export async function renderOutcomes(): Promise<string> {
  const lines: string[][] = []
  for (const row of groupOutcomes()) {
    if (row.action === 'accept') lines.push(await describeConfirmed(row))
    const first = reply(row.statuses[0] ?? 0, row.shape.body)
    const { states, written, next } = await observe({ rows: row.shape.rows, first, until: 'any request' })
    const [state = '', other] = new Set(states)
    const become = other === undefined ? state : `${state}; the other rows ${other}`
    const other2xx = row.action === 'accept' ? 'any other ' : ''
    lines.push([`${other2xx}${describeStatuses(row)}`, row.shapeTitle, become, written, next])
  }
  const isRest = ([outcome = '']: string[]) => outcome === 'any other status'
  const ordered = [...lines.filter((line) => !isRest(line)), ...lines.filter(isRest)]
  return markdownTable(['Outcome', 'Rows in the request', 'Next state', 'Written', 'Next request'], ordered)
}

async function describeConfirmed({ shape: { rows } }: OutcomeRow): Promise<string[]> {
  const { states, written, next } = await observe({ rows, first: undefined, until: 'any request' })
  return ['2xx that confirms the answers', 'any', states[0] ?? '', written, next]
}

/**
 * For each kind of evidence, a batch whose first row has this evidence, and the answers that the service lists. If `listed` is missing,
 * the service refuses to list answers.
 */
const evidence: Record<keyof Evidence, { rows: string[]; listed?: { lookup_key: string; value: number }[] }> =
  {
    applied: { rows: oneRow, listed: [{ lookup_key: 'height', value: 1 }] },
    missing: { rows: oneRow, listed: [] },
    superseded: { rows: ['u height 1', 'u height 2'], listed: [{ lookup_key: 'height', value: 2 }] },
    unproven: { rows: oneRow },
  }

const settings = ['hold', 'resend', 'skip'] as const

/** A Markdown table with the reaction of an import to every kind of evidence. */
export async function renderEvidence(): Promise<string> {
  const lines: string[][] = []
  for (const [name, { rows, listed: answers }] of Object.entries(evidence)) {
    const list = answers === undefined ? reply(405) : listed(answers)
    const titles = new Map<string, string[]>()
    for (const onAmbiguous of settings) {
      const { states, written, next } = await observe({
        rows,
        first: reset(),
        list,
        until: 'answers are sent',
        onAmbiguous,
      })
      const cells = JSON.stringify([states[0], written, next.split(',')[0]])
      titles.set(cells, [...(titles.get(cells) ?? []), onAmbiguous])
    }
    for (const [cells, names] of titles)
      lines.push([name, names.length === settings.length ? 'any' : names.join(' or '), ...JSON.parse(cells)])
  }
  return markdownTable(['Evidence', '`--on-ambiguous`', 'Next state', 'Written', 'Next request'], lines)
}

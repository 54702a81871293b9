import { NetworkError } from '../../base/errors.ts'
import type { Api } from '../../http/client.ts'
import type { WireReply } from '../../http/wire.ts'
import type { Answer, UserRef } from '../types.ts'
import type { ListedAnswer, Listing } from './judge.ts'
import { isTransient, type Outcome, serviceUnavailable, stopError } from './outcomes.ts'
import type { ServiceClock } from './service-clock.ts'

export interface ApiServiceOptions {
  api: Pick<Api, 'attempt' | 'contract'>
  serviceClock: ServiceClock
  /** For each request. */
  timeoutMs: number
  /** Query parameter for a page of answers. The specification does not name it. */
  pageParameter: string
}

/** Sends a request in its turn, and retries it. */
export type InTurn = (ask: () => Promise<Outcome>) => Promise<Outcome>

interface Page {
  answers: ListedAnswer[]
  /** As reported by the service. Compared too, because different pages may contain equal answers. */
  number: unknown
  next: string | number | undefined
  /** Number of answers on all pages, if the service reports it. */
  total: unknown
}

/** A longer list is unusable. */
const mostPages = 1000

/** A reply without a length looks complete if a proxy closes the connection early, but its JSON is not. */
const triesPerPage = 3

/** The service as the import uses it. Each call is one attempt, except `list` and `isUnknown`. */
export class AnswerService {
  readonly #options: ApiServiceOptions
  readonly #questions: Api['contract']['questions']

  constructor(options: ApiServiceOptions) {
    this.#options = options
    this.#questions = options.api.contract.questions
  }

  /** Throws a NetworkError without a status line. */
  send(user: UserRef, answers: readonly Answer[]): Promise<WireReply> {
    const { api, timeoutMs } = this.#options
    const items = answers.map(({ lookup_key, value, timezone }) => ({ lookup_key, value, timezone }))
    const [endpoint, json] =
      items.length === 1 ? [this.#questions.answer, items[0]] : [this.#questions.answerMany, items]
    return api.attempt(endpoint, { user: named(user), json: JSON.stringify(json) }, { timeoutMs })
  }

  /** Returns `unavailable` if the service did not respond. Throws if the key is refused. */
  async list(user: UserRef, inTurn: InTurn): Promise<Listing | 'unavailable'> {
    const answers: ListedAnswer[] = []
    const seen = new Set<string>()
    let next: string | number | undefined = 1
    for (let pages = 0; pages < mostPages; pages++) {
      const found: Page | Listing | 'unavailable' = await this.#askFor(user, next, inTurn)
      if (found === 'unavailable' || 'usable' in found) return found
      const fingerprint = JSON.stringify([found.number, found.answers])
      if (found.answers.length > 0 && seen.has(fingerprint))
        return unusable('the service returned a page of the answer list twice')
      seen.add(fingerprint)
      answers.push(...found.answers)
      if (found.next === undefined) return complete(answers, found.total)
      next = found.next
    }
    return unusable(`the answer list has more than ${mostPages} pages`)
  }

  /**
   * Whether the service does not know the user: the user is not found (404) although a known address works. Throws if
   * the key is refused or the service did not respond.
   */
  async isUnknown(user: UserRef, inTurn: InTurn): Promise<boolean> {
    const { api, timeoutMs } = this.#options
    const { users } = api.contract
    const getUser = () => api.attempt(users.get, { user: named(user) }, { timeoutMs })
    return (
      (await statusOf(getUser, inTurn)) === 404 && (await statusOf(() => this.#getKeys(), inTurn)) === 200
    )
  }

  /** Whether the service responds. Sends a GET. */
  async probe(): Promise<boolean> {
    const reply = await attempt(() => this.#getKeys())
    if (reply instanceof NetworkError) return false
    this.#options.serviceClock.observe(reply.headers['date'])
    return !isTransient(reply)
  }

  #getKeys(): Promise<WireReply> {
    const { api, timeoutMs } = this.#options
    return api.attempt(this.#questions.all, {}, { timeoutMs })
  }

  async #askFor(
    user: UserRef,
    page: string | number,
    inTurn: InTurn,
  ): Promise<Page | Listing | 'unavailable'> {
    const { api, timeoutMs, pageParameter } = this.#options
    const input = { user: named(user), query: { [pageParameter]: page } }
    const ask = () => attempt(() => api.attempt(this.#questions.answered, input, { timeoutMs }))
    let reply = await inTurn(ask)
    for (let tries = 1; tries < triesPerPage && isCutJson(reply); tries++) reply = await inTurn(ask)
    if (reply instanceof NetworkError || isTransient(reply)) return 'unavailable'
    this.#options.serviceClock.observe(reply.headers['date'], reply.durationMs)
    if (reply.status === 401 || reply.status === 403) throw stopError(reply.status)
    // A user who does not exist has no answers.
    if (reply.status === 404 && (await this.isUnknown(user, inTurn))) return { usable: true, answers: [] }
    if (reply.status !== 200)
      return unusable(`the service rejected the request for the answer list (${reply.status})`)
    return (
      readPage(reply) ?? unusable('this version of facescan does not support the format of the answer list')
    )
  }
}

async function statusOf(send: () => Promise<WireReply>, inTurn: InTurn): Promise<number> {
  const reply = await inTurn(() => attempt(send))
  if (reply instanceof NetworkError || isTransient(reply)) throw serviceUnavailable()
  if (reply.status === 401 || reply.status === 403) throw stopError(reply.status)
  return reply.status
}

async function attempt(send: () => Promise<WireReply>): Promise<Outcome> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof NetworkError) return error
    throw error
  }
}

/** A different total means that pages are missing (the service counts from 0, or ignores the parameter) or overlap. */
function complete(answers: ListedAnswer[], total: unknown): Listing {
  if (typeof total !== 'number' || total === answers.length) return { usable: true, answers }
  return unusable(`some pages of the answer list ${total > answers.length ? 'are missing' : 'overlap'}`)
}

function unusable(why: string): Listing {
  return { usable: false, why }
}

function named({ kind, id }: UserRef): Record<string, string> {
  return { [kind]: id }
}

function isCutJson(reply: Outcome): boolean {
  return !(reply instanceof NetworkError) && reply.status === 200 && parseBody(reply) === undefined
}

function parseBody({ body }: WireReply) {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}

/** A page of answered questions (spec 4.5). Undefined if an item is invalid. */
function readPage(reply: WireReply): Page | undefined {
  try {
    const { items, pagination } = parseBody(reply)
    const answers = items.map(readItem)
    if (answers.includes(undefined)) return undefined
    const { page: number, next_page: next, total_items: total } = pagination
    if (next === null) return { answers, number, next: undefined, total }
    const isPage = typeof next === 'number' || typeof next === 'string'
    return isPage ? { answers, number, next, total } : undefined
  } catch {
    return undefined
  }
}

function readItem(item: Record<string, unknown>): ListedAnswer | undefined {
  const { question_lookup_key: lookup_key, answer: value, local_timestamp } = item
  // Without an offset or seconds, the time is not exact.
  const at = /T\d\d:\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(String(local_timestamp))
    ? Date.parse(String(local_timestamp))
    : Number.NaN
  const isKnown = typeof lookup_key === 'string' && Number.isSafeInteger(value) && !Number.isNaN(at)
  return isKnown ? { lookup_key, value: value as number, at } : undefined
}

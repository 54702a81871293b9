import { NetworkError } from '../../base/errors.ts'
import type { Api } from '../../http/client.ts'
import type { Answer, UserRef } from '../types.ts'
import { isOfUser, isTransient, stop } from './outcomes.ts'
import type { AnswerService, InTurn, ListedAnswer, Listing, Reply } from './service.ts'
import type { ServiceClock } from './service-clock.ts'

export interface ApiServiceOptions {
  api: Pick<Api, 'attempt' | 'contract'>
  serviceClock: ServiceClock
  /** For one request. */
  timeoutMs: number
  /** Query parameter that selects a page of answered questions. The specification does not name it. */
  pageParameter: string
}

interface Page {
  answers: ListedAnswer[]
  /** The page number that the service reports. Different pages may contain equal answers, so the number is compared too. */
  number: unknown
  next: string | number | undefined
  /** Answers on all pages, if the service reports the number. */
  total: unknown
}

/** A list with more pages than this is treated as unusable. */
const mostPages = 1000

/** If a proxy closes the connection early, a reply without a length looks complete, but its JSON is not. */
const triesPerPage = 3

/** The service as the import uses it, over the program's HTTP client. */
export function createAnswerService({
  api,
  serviceClock,
  timeoutMs,
  pageParameter,
}: ApiServiceOptions): AnswerService {
  const { questions } = api.contract

  const askFor = async (user: UserRef, page: string | number, inTurn: InTurn) => {
    const input = { user: named(user), query: { [pageParameter]: page } }
    const ask = () => attempt(() => api.attempt(questions.answered, input, { timeoutMs }))
    let reply = await inTurn(ask)
    for (let tries = 1; tries < triesPerPage && isCutJson(reply); tries++) reply = await inTurn(ask)
    return readReply(reply)
  }

  const readReply = (reply: Reply | NetworkError): Page | Listing | 'unavailable' => {
    if (reply instanceof NetworkError || isTransient(reply)) return 'unavailable'
    serviceClock.observe(reply.headers['date'], reply.durationMs)
    if (reply.status === 401 || reply.status === 403) throw stop(reply.status).error
    // A user who does not exist has no answers.
    if (reply.status === 404 && isOfUser(reply)) return { usable: true, answers: [] }
    if (reply.status !== 200) return unusable(`the service refused the list of answers (${reply.status})`)
    return readPage(reply) ?? unusable('the list of answers has a shape that this version does not support')
  }

  return {
    send: (user, answers) => {
      const items = answers.map(toJson).join()
      return answers.length === 1
        ? api.attempt(questions.answer, { user: named(user), json: items }, { timeoutMs })
        : api.attempt(questions.answerMany, { user: named(user), json: `[${items}]` }, { timeoutMs })
    },

    async list(user, inTurn) {
      const answers: ListedAnswer[] = []
      const seen = new Set<string>()
      let next: string | number | undefined = 1
      for (let pages = 0; pages < mostPages; pages++) {
        const found: Page | Listing | 'unavailable' = await askFor(user, next, inTurn)
        if (found === 'unavailable' || 'usable' in found) return found
        const fingerprint = JSON.stringify([found.number, found.answers])
        if (found.answers.length > 0 && seen.has(fingerprint))
          return unusable('the list of answers repeats a page')
        seen.add(fingerprint)
        answers.push(...found.answers)
        if (found.next === undefined) return complete(answers, found.total)
        next = found.next
      }
      return unusable('the list of answers is too long')
    },

    async probe() {
      const reply = await attempt(() => api.attempt(questions.all, {}, { timeoutMs }))
      if (reply instanceof NetworkError) return false
      serviceClock.observe(reply.headers['date'])
      return !isTransient(reply)
    },
  }
}

async function attempt(send: () => Promise<Reply>): Promise<Reply | NetworkError> {
  try {
    return await send()
  } catch (error) {
    if (error instanceof NetworkError) return error
    throw error
  }
}

/**
 * The total shows whether pages are missing (the service numbers its pages from 0, or ignores the parameter) or overlap (an
 * answer is listed twice).
 */
function complete(answers: ListedAnswer[], total: unknown): Listing {
  if (typeof total !== 'number' || total === answers.length) return { usable: true, answers }
  return unusable(`pages of the list ${total > answers.length ? 'are missing' : 'overlap'}`)
}

function unusable(why: string): Listing {
  return { usable: false, why }
}

function named({ kind, id }: UserRef): Record<string, string> {
  return { [kind]: id }
}

/** Two to three times as fast as `JSON.stringify`, because there are few different keys and time zones. */
function toJson({ lookup_key, value, timezone }: Answer): string {
  return `${beforeValue(lookup_key)}${value}${afterValue(timezone)}`
}

const beforeValue = cached((key) => `{"lookup_key":${JSON.stringify(key)},"value":`)
const afterValue = cached((zone) => `,"timezone":${JSON.stringify(zone)}}`)

function cached(make: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const made = make(name)
    known.set(name, made)
    return made
  }
}

function isCutJson(reply: Reply | NetworkError): boolean {
  return !(reply instanceof NetworkError) && reply.status === 200 && parseBody(reply) === undefined
}

function parseBody({ body }: Reply) {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    return undefined
  }
}

/** A page of answered questions (spec 4.5); undefined if an item is not exact. */
function readPage(reply: Reply): Page | undefined {
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
  // Without an offset the time zone is unknown, and without seconds the time is only exact to a minute.
  const at = /T\d\d:\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(String(local_timestamp))
    ? Date.parse(String(local_timestamp))
    : Number.NaN
  const isKnown = typeof lookup_key === 'string' && Number.isSafeInteger(value) && !Number.isNaN(at)
  return isKnown ? { lookup_key, value: value as number, at } : undefined
}

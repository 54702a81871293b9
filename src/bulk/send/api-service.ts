import { NetworkError } from '../../base/errors.ts'
import type { Api } from '../../http/client.ts'
import type { Answer, UserRef } from '../types.ts'
import { isOfUser, isPassing, stop } from './outcomes.ts'
import type { AnswerService, ListedAnswer, Listing, Reply } from './service.ts'
import type { ServiceClock } from './service-clock.ts'

export interface ApiServiceOptions {
  api: Pick<Api, 'attempt' | 'contract'>
  serviceClock: ServiceClock
  /** For one request. */
  timeoutMs: number
  /** Query parameter that selects a page of answered questions: not specified, so that it can be set. */
  pageParameter: string
}

interface Page {
  answers: ListedAnswer[]
  /** As the service counts it: whoever repeats a page says so here, while two pages may well hold the same. */
  number: unknown
  next: string | number | undefined
  /** Answers on all pages, where the service says so. */
  total: unknown
}

/** A user with more pages of answers than this is one nobody can be sure about. */
const mostPages = 1000

/** The service as the importer uses it, over the program's HTTP client. */
export function createAnswerService({
  api,
  serviceClock,
  timeoutMs,
  pageParameter,
}: ApiServiceOptions): AnswerService {
  const { questions } = api.contract

  const askFor = (user: UserRef, page: string | number) => {
    const query = { [pageParameter]: page }
    return attempt(() => api.attempt(questions.answered, { user: named(user), query }, { timeoutMs }))
  }

  const readReply = (reply: Reply | NetworkError): Page | Listing | 'unavailable' => {
    if (reply instanceof NetworkError || isPassing(reply)) return 'unavailable'
    serviceClock.observe(reply.headers['date'], reply.durationMs)
    if (reply.status === 401 || reply.status === 403) throw stop(reply.status).error
    // Nothing is listed for a user who does not exist.
    if (reply.status === 404 && isOfUser(reply)) return { usable: true, answers: [] }
    if (reply.status !== 200) return unusable(`the list of answers is refused (${reply.status})`)
    return readPage(reply) ?? unusable('the list of answers has a shape this version does not know')
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
        const asked: string | number = next
        const found = readReply(await inTurn(() => askFor(user, asked)))
        if (found === 'unavailable' || 'usable' in found) return found
        const fingerprint = JSON.stringify([found.number, found.answers])
        if (found.answers.length > 0 && seen.has(fingerprint))
          return unusable('the list of answers repeats its pages')
        seen.add(fingerprint)
        answers.push(...found.answers)
        if (found.next === undefined) return whole(answers, found.total)
        next = found.next
      }
      return unusable('the list of answers is too long')
    },

    async probe() {
      const reply = await attempt(() => api.attempt(questions.all, {}, { timeoutMs }))
      if (reply instanceof NetworkError) return false
      serviceClock.observe(reply.headers['date'])
      return !isPassing(reply)
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
 * A service that counts its pages from 0 would have kept the first, and one that takes no page the others; one whose pages
 * overlap lists an answer twice.
 */
function whole(answers: ListedAnswer[], total: unknown): Listing {
  if (typeof total !== 'number' || total === answers.length) return { usable: true, answers }
  return unusable(`pages of the list ${total > answers.length ? 'are missing' : 'overlap'}`)
}

function unusable(why: string): Listing {
  return { usable: false, why }
}

function named({ kind, id }: UserRef): Record<string, string> {
  return { [kind]: id }
}

/** Two or three times as fast as `JSON.stringify`, since keys and zones come from short lists. */
function toJson({ lookup_key, value, timezone }: Answer): string {
  return `${beforeValue(lookup_key)}${value}${afterValue(timezone)}`
}

const beforeValue = remembered((key) => `{"lookup_key":${JSON.stringify(key)},"value":`)
const afterValue = remembered((zone) => `,"timezone":${JSON.stringify(zone)}}`)

function remembered(make: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const made = make(name)
    known.set(name, made)
    return made
  }
}

/** A page of answered questions (specification, section 4.5); undefined where one item cannot be told for sure. */
function readPage({ body }: Reply): Page | undefined {
  try {
    const { items, pagination } = JSON.parse(Buffer.from(body).toString())
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
  // Without an offset it is a time of some zone, which nobody tells; without seconds, of some moment in a minute.
  const at = /T\d\d:\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(String(local_timestamp))
    ? Date.parse(String(local_timestamp))
    : Number.NaN
  const isKnown = typeof lookup_key === 'string' && Number.isSafeInteger(value) && !Number.isNaN(at)
  return isKnown ? { lookup_key, value: value as number, at } : undefined
}

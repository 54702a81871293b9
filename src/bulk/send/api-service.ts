import * as z from 'zod/mini'
import { NetworkError } from '../../base/errors.ts'
import { readJsonBody } from '../../base/json.ts'
import { contract } from '../../contract/index.ts'
import { readNextPage } from '../../contract/values.ts'
import type { SendOnce } from '../../http/client.ts'
import type { WireResponse } from '../../http/wire.ts'
import { serviceUnavailable } from '../pace/pace.ts'
import type { ServiceClock } from '../service-clock.ts'
import type { Answer, UserRef } from '../types.ts'
import { type AttemptResult, type InTurn, isTransient, stopError } from './attempt.ts'
import type { ListedAnswer, Listing } from './reconcile.ts'

export interface ApiServiceOptions {
  send: SendOnce
  serviceClock: ServiceClock
  timeoutMs: number
  /** Query parameter for the page number. It is an option, because the specification does not name this parameter. */
  pageParameter: string
  /** Whether the response to a read request proves that rows are saved. Each such request then has its own connection. */
  isProof?: boolean
}

/** A text with an exact time, which contains seconds and the offset from UTC. */
const exactTime = z
  .string()
  .check(
    z.refine((text) => /T\d\d:\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text))),
  )

/** A whole number, which can be a text such as `70` or `70.0`. */
const wholeNumber = z.union([
  z.int(),
  z.pipe(z.string().check(z.regex(/^-?\d+(\.0*)?$/)), z.transform(Number)),
])

/** The fields of a page of answers (spec 4.5) that show which answers are saved. */
const answeredPage = z.object({
  items: z.array(
    z.object({ question_lookup_key: z.string(), answer: wholeNumber, local_timestamp: exactTime }),
  ),
  pagination: z.object({
    // Page number from the service. A repeated number shows a repeated page. Equal answers do not, because two pages can contain them.
    page: z.optional(z.unknown()),
    next_page: z.nullish(z.union([z.number(), z.string()])),
    // Total number of answers, if the service states it.
    total_items: z.catch(z.optional(wholeNumber), undefined),
  }),
})

const shownUser = z.object({ user_id: z.string().check(z.minLength(1)) })

type AnsweredPage = z.infer<typeof answeredPage>

const mostPages = 1000

/** Number of attempts if the JSON is truncated. A response without a length looks complete even if a proxy has truncated it. */
const triesPerPage = 3

/** The requests of an import. A method that receives `inTurn` can retry its requests. Any other method sends one attempt. */
export class AnswerService {
  readonly #options: ApiServiceOptions
  readonly #texts = new Map<string, string>()

  constructor(options: ApiServiceOptions) {
    this.#options = options
  }

  send(user: UserRef, answers: readonly Answer[]): Promise<AttemptResult> {
    const items = answers.map((answer) => this.#toJson(answer)).join()
    const [endpoint, json] =
      answers.length === 1
        ? [contract.questions.answer, items]
        : [contract.questions.answerMany, `[${items}]`]
    return this.#attempt(endpoint, { user: named(user), json })
  }

  /** Lists the answers of a user. Returns `unavailable` if the service did not respond. Throws if the API key is rejected. */
  async list(user: UserRef, inTurn: InTurn): Promise<Listing | 'unavailable'> {
    const answers: ListedAnswer[] = []
    const seen = new Set<string>()
    let next = 1
    for (let pages = 0; pages < mostPages; pages++) {
      const found: AnsweredPage | Listing | 'unavailable' = await this.#askFor(user, next, inTurn)
      if (found === 'unavailable' || 'usable' in found) return found
      const { items, pagination } = found
      const fingerprint = JSON.stringify([pagination.page, items])
      if (items.length > 0 && seen.has(fingerprint))
        return unusable('the service returned a page of the answer list twice')
      seen.add(fingerprint)
      for (const { question_lookup_key: lookup_key, answer: value, local_timestamp } of items)
        answers.push({ lookup_key, value, at: Date.parse(local_timestamp) })
      const following = readNextPage(pagination.next_page, this.#options.pageParameter)
      if (following === null) {
        const listing = complete(answers, pagination)
        this.#options.serviceClock.listsHistory ||= listing.usable && hasHistory(answers)
        return listing
      }
      if (following === undefined) return unusable('the service returned the next page in an unknown format')
      next = following
    }
    return unusable(`the answer list has more than ${mostPages} pages`)
  }

  /**
   * Looks up the user after a 404. Throws if the API key is rejected or the service did not respond. `rejected`: the service refuses the ID
   * without saying that the user is unknown. `refused`: a later lookup may succeed.
   */
  async lookUp(
    user: UserRef,
    inTurn: InTurn,
  ): Promise<'unknown' | 'exists' | 'wrong address' | 'refused' | 'rejected'> {
    const reply = responseOf(await inTurn(() => this.#attempt(contract.users.get, { user: named(user) })))
    if (reply.status < 300) return 'exists'
    const { isMissingUser } = await import('./outcomes.ts')
    const states = isMissingUser(reply)
    if (states && reply.status !== 404) return 'unknown'
    if (!states && ![400, 410, 422].includes(reply.status)) return 'refused'
    // If the request for lookup keys also fails, the base URL is wrong. Otherwise, the user is unknown.
    const known = responseOf(await inTurn(() => this.#attempt(contract.questions.all, {})))
    if (known.status !== 200) return states ? 'wrong address' : 'refused'
    return states ? 'unknown' : 'rejected'
  }

  /** Requests the ID that the service assigned to the user. Undefined if the request fails, or if there is no ID in the response. */
  async identify(user: UserRef, inTurn: InTurn): Promise<string | undefined> {
    const { status, body } = responseOf(
      await inTurn(() => this.#attempt(contract.users.get, { user: named(user) })),
    )
    return status === 200 ? shownUser.safeParse(readJsonBody(body)).data?.user_id : undefined
  }

  async probe(): Promise<boolean> {
    const reply = await this.#attempt(contract.questions.all, {})
    if (reply instanceof NetworkError) return false
    this.#options.serviceClock.observe(reply.headers['date'])
    return !isTransient(reply)
  }

  /** An answer as JSON. The JSON of questions and time zones is cached, because an import sends many answers to few questions. */
  #toJson({ lookup_key, value, timezone }: Answer): string {
    return `{"lookup_key":${this.#quoted(lookup_key)},"value":${value},"timezone":${this.#quoted(timezone)}}`
  }

  #quoted(text: string): string {
    const known = this.#texts.get(text)
    if (known !== undefined) return known
    const quoted = JSON.stringify(text)
    this.#texts.set(text, quoted)
    return quoted
  }

  async #attempt(endpoint: Parameters<SendOnce>[0], input: Parameters<SendOnce>[1]): Promise<AttemptResult> {
    const { send, timeoutMs, isProof = false } = this.#options
    try {
      return await send(endpoint, input, { timeoutMs, isAlone: isProof && endpoint.effect === 'read' })
    } catch (error) {
      if (error instanceof NetworkError) return error
      throw error
    }
  }

  async #askFor(
    user: UserRef,
    page: number,
    inTurn: InTurn,
  ): Promise<AnsweredPage | Listing | 'unavailable'> {
    const input = { user: named(user), query: { [this.#options.pageParameter]: page } }
    const ask = () => this.#attempt(contract.questions.answered, input)
    let reply = await inTurn(ask)
    for (let tries = 1; tries < triesPerPage && isCutJson(reply); tries++) reply = await inTurn(ask)
    if (reply instanceof NetworkError || isTransient(reply)) return 'unavailable'
    this.#options.serviceClock.observe(reply.headers['date'], reply.durationMs)
    if (reply.status === 401 || reply.status === 403) throw stopError(reply.status)
    // A 204 is an empty list. An unknown user (404) has no answers.
    if (reply.status === 204 && page === 1) return { usable: true, answers: [] }
    if (reply.status !== 200) {
      const { isMissingUser } = await import('./outcomes.ts')
      const isUnknown = isMissingUser(reply) && (await this.lookUp(user, inTurn)) === 'unknown'
      return isUnknown
        ? { usable: true, answers: [] }
        : unusable(`the service rejected the request for the answer list (${reply.status})`)
    }
    const parsed = answeredPage.safeParse(readJsonBody(reply.body))
    if (parsed.success) return parsed.data
    return unusable(unsupported)
  }
}

function responseOf(reply: AttemptResult): WireResponse {
  if (reply instanceof NetworkError || isTransient(reply)) throw serviceUnavailable()
  if (reply.status === 401) throw stopError(reply.status)
  return reply
}

const unsupported = 'this version of facescan does not support the format of the answer list'

/**
 * The list of answers, or the reason why it cannot be used. If the total differs, pages are missing or overlap. Without a total, only a
 * `next_page` of null ends the list.
 */
function complete(
  answers: ListedAnswer[],
  { next_page, total_items: total }: AnsweredPage['pagination'],
): Listing {
  if (total === undefined) return next_page === null ? { usable: true, answers } : unusable(unsupported)
  if (total === answers.length) return { usable: true, answers }
  return unusable(`some pages of the answer list ${total > answers.length ? 'are missing' : 'overlap'}`)
}

/** Whether the list contains two answers to one question that differ in their value or time. */
function hasHistory(answers: readonly ListedAnswer[]): boolean {
  const questions = new Set(answers.map(({ lookup_key }) => lookup_key))
  return (
    new Set(answers.map(({ lookup_key, value, at }) => `${at} ${value} ${lookup_key}`)).size > questions.size
  )
}

function unusable(why: string): Listing {
  return { usable: false, why }
}

function named({ kind, id }: UserRef): Record<string, string> {
  return { [kind]: id }
}

function isCutJson(reply: AttemptResult): boolean {
  return !(reply instanceof NetworkError) && reply.status === 200 && readJsonBody(reply.body) === undefined
}

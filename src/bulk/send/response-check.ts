import { crc32 } from 'node:zlib'
import { FacescanError } from '../../base/errors.ts'
import { readJsonBody } from '../../base/json.ts'
import { meaningOf } from '../../http/meaning.ts'
import type { WireResponse } from '../../http/wire.ts'
import { hashUserId } from '../rows/user-hash.ts'
import type { Answer } from '../types.ts'
import { Multiset, type UserQueue } from './user-queue.ts'

/** Number of unconfirmed first responses after which an import stops, because a proxy or an unsupported service responds. */
const mostUnconfirmed = 20

type Saved = { lookup_key: string; value: number }

/** Checks that a 2xx response contains the list of the saved answers (spec 4.5), in any order. */
export class ResponseCheck {
  #userHashes = new NumberSet()
  readonly #isOnePerId: boolean
  /** Number of unconfirmed responses since the import started. Undefined after the first confirmed response. */
  #unconfirmed: number | undefined = 0

  /** If `hasBothIds` is true, the file contains both kinds of user ID, so two queues may belong to the same user. */
  constructor(hasBothIds: boolean) {
    this.#isOnePerId = !hasBothIds
  }

  /** The reason why the response does not confirm the answers. Undefined if the response confirms them. */
  problemIn(reply: WireResponse, queue: UserQueue, answers: readonly Answer[]): string | undefined {
    if (meaningOf({ status: reply.status }).applied !== 'yes')
      return `the service will save the answers later (${reply.status})`
    const body = reply.cut ? undefined : readJsonBody(reply.body)
    if (reply.body.length === 0) return 'the response has no body'
    if (body === undefined) return 'the response is not JSON'
    const items = Array.isArray(body) ? body : [body]
    if (!items.every(isSaved)) return 'the response is not a list of saved answers'
    if (!areSame(items, answers)) return 'the answers in the response differ from the sent answers'
    const first = items[0]?.user_id ?? ''
    const hash = hashId(first)
    if (items.some(({ user_id }) => user_id !== first && hashId(user_id) !== hash))
      return 'the response contains more than one user ID'
    const known = queue.userHash ?? (queue.user.kind === 'user_id' ? hashId(queue.user.id) : hash)
    if (known !== hash) return 'the response contains another user’s ID'
    if (!this.claim(hash, queue)) return 'the response contains the ID of another user of this file'
    this.#unconfirmed = undefined
    return undefined
  }

  /** Counts an unconfirmed response. Returns the error if the import must stop. */
  noteProblem(reply: WireResponse, problem: string): FacescanError | undefined {
    if (this.#unconfirmed === undefined || ++this.#unconfirmed < mostUnconfirmed) return undefined
    const message = `none of the first ${mostUnconfirmed} responses confirms that the answers were saved: ${problem}`
    return new FacescanError('import_stopped', message, {
      hint: [
        `Status ${reply.status}, response: ${describeShape(reply)}`,
        'The sent rows are not sent again automatically.',
        { text: 'Check the base URL and the proxy settings', run: ['status'] },
      ],
      status: reply.status,
    })
  }

  /** Records the user ID of a queue. Returns false if another queue has the same user ID, so two external user IDs belong to one user. */
  claim(hash: number, queue: UserQueue): boolean {
    if (queue.userHash !== hash) {
      queue.userHash = hash
      queue.isShared = !this.#userHashes.add(hash) && this.#isOnePerId
    }
    return !queue.isShared
  }

  /** Records the user IDs of earlier runs. 0 means no user ID. */
  recall(userHashes: Float64Array): void {
    this.#userHashes = new NumberSet(userHashes.length)
    for (const hash of userHashes) if (hash !== 0) this.#userHashes.add(hash)
  }
}

function isSaved(item: unknown): item is { lookup_key: string; value: number | string; user_id: string } {
  if (typeof item !== 'object' || item === null) return false
  const { lookup_key, value, user_id } = item as Record<string, unknown>
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')
  return typeof lookup_key === 'string' && isNumeric && typeof user_id === 'string' && user_id !== ''
}

function areSame(
  items: readonly { lookup_key: string; value: number | string }[],
  answers: readonly Saved[],
) {
  if (items.length !== answers.length) return false
  const isInOrder = items.every(
    ({ lookup_key, value }, at) =>
      lookup_key === answers[at]?.lookup_key && Number(value) === answers[at].value,
  )
  if (isInOrder) return true
  const expected = new Multiset(answers)
  return items.every(({ lookup_key, value }) => expected.take({ lookup_key, value: Number(value) }))
}

/**
 * A hash of 52 bits. Ignores case and dashes, because services write UUIDs in different ways. If two users have the same hash, the only
 * effect is an unnecessary request for a list of answers.
 */
export function hashId(userId: string): number {
  const id = userId.replaceAll('-', '').toLowerCase()
  return hashUserId(id) * 2 ** 20 + (crc32(id) & (2 ** 20 - 1)) + 1
}

/** A set of positive numbers with 16 bytes per number. A JavaScript set needs three times as much. */
class NumberSet {
  #slots: Float64Array
  #size = 0

  /** With `expectedSize`, the array has its final size from the start, so no smaller arrays become garbage. */
  constructor(expectedSize = 0) {
    this.#slots = new Float64Array(Math.max(1024, 2 * expectedSize))
  }

  add(number: number): boolean {
    if (!put(this.#slots, number)) return false
    if (++this.#size * 2 <= this.#slots.length) return true
    const larger = new Float64Array(this.#slots.length * 2)
    for (const old of this.#slots) if (old !== 0) put(larger, old)
    this.#slots = larger
    return true
  }
}

function put(slots: Float64Array, number: number): boolean {
  let at = number % slots.length
  for (; slots[at] !== 0; at = (at + 1) % slots.length) if (slots[at] === number) return false
  slots[at] = number
  return true
}

const mostNames = 12

/** Field names and types, such as `list of {lookup_key: string}`, without values. */
function describeShape(reply: WireResponse): string {
  const body = reply.cut ? undefined : readJsonBody(reply.body)
  if (body !== undefined) return shapeOf(body)
  const type = reply.headers['content-type']?.split(';')[0] ?? 'no content type'
  return reply.body.length === 0 ? 'empty' : `not JSON (${type})`
}

function shapeOf(value: unknown, depth = 0): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? 'empty list' : `list of ${shapeOf(value[0], depth)}`
  if (typeof value !== 'object') return typeof value
  if (depth > 1) return 'object'
  const names = Object.entries(value).slice(0, mostNames)
  // A name with characters other than letters and underscores may be an ID.
  const nameOf = (name: string) => (/^[a-z_]{1,40}$/i.test(name) ? name : '…')
  return `{${names.map(([name, inner]) => `${nameOf(name)}: ${shapeOf(inner, depth + 1)}`).join(', ')}}`
}

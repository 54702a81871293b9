import type { NetworkError } from '../../base/errors.ts'
import type { Answer, UserRef } from '../types.ts'

/** A reply whose status line arrived. */
export interface Reply {
  status: number
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  durationMs?: number
  /** Set where the body did not come whole. */
  cut?: Error | undefined
}

export interface ListedAnswer {
  lookup_key: string
  value: number
  /** Service time, in ms. */
  at: number
}

/** All answers of a user, or why they cannot be known. */
export type Listing = { usable: true; answers: ListedAnswer[] } | { usable: false; why: string }

/** Lets a request go when it may, and again where it may yet be answered. */
export type InTurn = (ask: () => Promise<Reply | NetworkError>) => Promise<Reply | NetworkError>

/** What the sending side needs of the service; each call is one attempt, save `list`, which pages. */
export interface AnswerService {
  /** Throws a NetworkError where no status line arrived. */
  send(user: UserRef, answers: readonly Answer[]): Promise<Reply>
  /** `unavailable` where a page was not answered in its turn; throws where the key is refused. */
  list(user: UserRef, inTurn: InTurn): Promise<Listing | 'unavailable'>
  /** Whether the service answers at all: a harmless GET. */
  probe(): Promise<boolean>
}

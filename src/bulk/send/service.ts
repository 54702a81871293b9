import type { NetworkError } from '../../base/errors.ts'
import type { WireReply } from '../../http/wire.ts'
import type { Answer, UserRef } from '../types.ts'

/** A reply. Only its status line is certain to be complete. */
export type Reply = Omit<WireReply, 'durationMs'> & { durationMs?: number }

export interface ListedAnswer {
  lookup_key: string
  value: number
  /** Service time, in ms. */
  at: number
}

/** All answers of a user, or why they are unknown. */
export type Listing = { usable: true; answers: ListedAnswer[] } | { usable: false; why: string }

/** Sends a request in its turn, and retries it. */
export type InTurn = (ask: () => Promise<Reply | NetworkError>) => Promise<Reply | NetworkError>

/** The service as the import uses it. Each call is one attempt, except `list`. */
export interface AnswerService {
  /** Throws a NetworkError without a status line. */
  send(user: UserRef, answers: readonly Answer[]): Promise<Reply>
  /** Returns `unavailable` if the service did not respond. Throws if the key is refused. */
  list(user: UserRef, inTurn: InTurn): Promise<Listing | 'unavailable'>
  /**
   * Whether the service does not know the user: the user is not found (404) although a known address works. Throws if
   * the key is refused or the service did not respond.
   */
  isUnknown(user: UserRef, inTurn: InTurn): Promise<boolean>
  /** Whether the service responds. Sends a GET. */
  probe(): Promise<boolean>
}

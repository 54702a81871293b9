import type { Endpoint } from '../contract/endpoint.ts'
import type { AnyInput, HttpCredential } from './request.ts'
import type { WireRequest, WireResponse } from './wire.ts'

export interface Call {
  readonly endpoint: Endpoint
  readonly input: AnyInput
  readonly request: WireRequest
  readonly credential: HttpCredential | undefined
  /** Number of the attempt, starting at 1. The retry step counts the attempts. */
  readonly attempt: number
  /** Time limit for one attempt (default: the limit of the command). */
  readonly timeoutMs?: number | undefined
  /** Whether the request has its own connection. On a shared connection, a late duplicate of another response can be read instead. */
  readonly isAlone?: boolean | undefined
}

export type Send = (call: Call) => Promise<WireResponse>

/** One step of a call. It runs code before and after the next step, and can throw to stop the call. */
export type Step = (call: Call, next: Send) => Promise<WireResponse>

export function chain(steps: readonly Step[], send: Send): Send {
  return steps.reduceRight<Send>((next, step) => (call) => step(call, next), send)
}

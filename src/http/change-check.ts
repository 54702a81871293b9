import { findUnconfirmed } from '../contract/echo.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import type { AnyInput } from './request.ts'
import { BadBody, type WireResponse } from './wire.ts'

/**
 * Throws if the response does not confirm the change. With status 202, the service may apply the change later or never. An empty response
 * to an endpoint that returns data may come from a proxy.
 */
export function requireConfirmation({ replies }: Endpoint, { status, body }: WireResponse): void {
  if (status === 202) throw new BadBody('unconfirmed', ', which does not confirm the change')
  const returnsData = Object.values(replies).some((schema) => schema !== null)
  if (returnsData && body.length === 0) throw new BadBody('unconfirmed', ' without a body')
}

/** Throws if the response belongs to another user or contains other values than the request. */
export function requireEcho({ params, user, body }: AnyInput, value: unknown): void {
  const userId = params?.['user_id'] ?? user?.['user_id']
  const differences = findUnconfirmed({ userId, body }, value)
  if (differences.length > 0) throw BadBody.mismatch(differences)
}

import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import { toUuid } from '../contract/values.ts'
import { urlOf, type WireReply, type WireRequest } from '../http/wire.ts'

export interface UserIds {
  userId?: string | undefined
  externalUserId?: string | undefined
}

/** A read that may have returned the user ID of the user that the next request changes. Parsed only if a change follows. */
export interface ReadRequest {
  request: WireRequest
  reply: WireReply
}

/** Both IDs of a user if the read was by external user ID and returned the user ID. */
export function learnFrom(read: ReadRequest | undefined): UserIds[] {
  const externalUserId = read && urlOf(read.request).searchParams.get('external_user_id')
  const userId = externalUserId && identityIn(read.reply)
  return userId ? [{ externalUserId, userId }] : []
}

/** The user that a request affects, with the other ID if it is known. A request contains only one of both IDs. */
export function findUser(request: WireRequest, known: readonly UserIds[]): UserIds {
  const query = urlOf(request).searchParams
  const userId = toUuid(query.get('user_id') ?? userIdInPath(request))
  const externalUserId = query.get('external_user_id') ?? decode(memberOf(request.body, 'external_user_id'))
  const other = known.find(
    (user) =>
      (userId !== undefined && toUuid(user.userId) === userId) ||
      (externalUserId !== undefined && user.externalUserId === externalUserId),
  )
  return {
    userId: userId ?? toUuid(other?.userId),
    externalUserId: externalUserId ?? other?.externalUserId,
  }
}

export function identityIn({ body }: WireReply): string | undefined {
  return toUuid(memberOf(Buffer.from(body).toString('utf8'), 'user_id'))
}

/** A route is the end of a path, with a name in braces for each ID. */
function userIdInPath({ origin, path, route }: WireRequest): string | undefined {
  const names = route.split('/').toReversed()
  const parts = urlOf({ origin, path }).pathname.split('/').toReversed()
  const index = names.indexOf('{user_id}')
  return index === -1 ? undefined : parts[index]
}

function memberOf(json: string | undefined, name: string): string | undefined {
  if (json === undefined || !json.includes(name)) return undefined
  const member = fieldsOf(orUndefined(() => JSON.parse(json)))[name]
  return typeof member === 'string' ? member : undefined
}

/** An external user ID with a percent sign is URL-encoded in a body. */
function decode(text: string | undefined): string | undefined {
  return text && (orUndefined(() => decodeURIComponent(text)) ?? text)
}

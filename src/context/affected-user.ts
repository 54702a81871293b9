import { toUuid } from '../contract/values.ts'
import { urlOf, type WireReply, type WireRequest } from '../http/wire.ts'

export interface UserIds {
  userId?: string | undefined
  externalUserId?: string | undefined
}

/** Returns the user that a request affects, with the other ID if the command knows both. */
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
  try {
    const value: unknown = JSON.parse(json)
    const member = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
    return typeof member === 'string' ? member : undefined
  } catch {
    return undefined
  }
}

/** An external user ID with a percent sign is URL-encoded in a body. */
function decode(text: string | undefined): string | undefined {
  try {
    return text && decodeURIComponent(text)
  } catch {
    return text
  }
}

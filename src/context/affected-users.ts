import { orUndefined } from '../base/functions.ts'
import { fieldsOf } from '../base/json.ts'
import { toUuid } from '../contract/values.ts'
import { urlOf, type WireRequest, type WireResponse } from '../http/wire.ts'

export interface UserIds {
  userId?: string | undefined
  externalUserId?: string | undefined
}

/** A request contains only one of the two IDs of its user, so the other ID is taken from earlier responses. */
export class AffectedUsers {
  // One map for each direction between the two IDs. A list can contain many users, and searching one map by value would be slow.
  readonly #externalIds = new Map<string, string>()
  readonly #userIds = new Map<string, string>()

  /** Stores both IDs of a user after a request with the external user ID. */
  learn(request: WireRequest, response: WireResponse): void {
    const externalUserId = urlOf(request).searchParams.get('external_user_id')
    const userId = externalUserId === null ? undefined : userIdIn(response)
    if (externalUserId === null || userId === undefined) return
    this.#externalIds.set(userId, externalUserId)
    this.#userIds.set(externalUserId, userId)
  }

  find(request: WireRequest): UserIds {
    const query = urlOf(request).searchParams
    const userId = toUuid(query.get('user_id') ?? userIdInPath(request))
    const externalUserId = query.get('external_user_id') ?? decode(memberOf(request.body, 'external_user_id'))
    return {
      userId: userId ?? this.#userIds.get(externalUserId ?? ''),
      externalUserId: externalUserId ?? this.#externalIds.get(userId ?? ''),
    }
  }

  /** Removes a user to free memory. A command reads each user of a list only once, so the IDs are not needed again. */
  forget({ userId = '', externalUserId = '' }: UserIds): void {
    this.#externalIds.delete(userId)
    this.#userIds.delete(externalUserId)
  }
}

export function userIdIn({ body }: WireResponse): string | undefined {
  return toUuid(memberOf(Buffer.from(body).toString('utf8'), 'user_id'))
}

/** The user ID in a path. The route is the path with placeholders, such as `/v2/users/{user_id}`. */
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

/** Decodes an external user ID from a request body, because an ID that contains a percent sign is URL-encoded there. */
function decode(text: string | undefined): string | undefined {
  return text && (orUndefined(() => decodeURIComponent(text)) ?? text)
}

/** Who a command is about: exactly one of the two, unless an action token implies the user. */
export interface Who {
  externalUserId?: string | undefined
  userId?: string | undefined
}

/**
 * How a command learns its user; absent where it is about none. `either`: one of the two flags; `external`: the endpoint
 * takes the external id only; `token`: either flag, or an action token that implies the user.
 */
export type UserNeed = 'either' | 'external' | 'token'

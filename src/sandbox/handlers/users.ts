import type { Handlers } from '../handler.ts'
import {
  deleteUser,
  insertUser,
  requireUser,
  type UserFields,
  type UserRecord,
  updateUser,
} from '../records/users.ts'
import { Refusal } from '../refusal.ts'
import { bodyDetails } from '../scores/body.ts'

export const users: Handlers['users'] = {
  create({ service, body }) {
    const { external_user_id, ...sent } = body
    const { store, now } = service
    const user = insertUser(store, external_user_id, withFields(newUser, sent), now())
    if (!user) throw alreadyExists()
    return { status: 201, body: toReply(user, store.customer) }
  },

  get({ service, user }) {
    return {
      status: 200,
      body: { ...toReply(user, service.store.customer), ...bodyDetails(service.store, user) },
    }
  },

  update({ service, params, body }) {
    const { external_user_id, ...sent } = body
    const { store } = service
    return store.transaction(() => {
      const user = withFields(requireUser(store, params.user_id), sent)
      if (!updateUser(store, user, external_user_id)) throw alreadyExists()
      return { status: 200, body: toReply(user, store.customer) }
    })
  },

  async authenticate({ service, user }) {
    const { issueToken } = await import('../tokens.ts')
    const token = await issueToken(service.store.tokenSecret, {
      userId: user.user_id,
      audience: 'api',
      nowMs: service.now(),
    })
    return { status: 201, body: { token } }
  },

  delete({ service, user }) {
    deleteUser(service.store, user.user_id)
    return { status: 204, body: null }
  },
}

const newUser: UserFields = { birth_date: null, sex: null, language: 'en', preferred_unit_system: null }

/** Merges the sent fields into a user. A field that was not sent stays unchanged. */
function withFields<User extends UserFields>(user: User, sent: Sent): User {
  return { ...user, ...(sent as Partial<UserFields>) }
}

type Sent = { [Name in keyof UserFields]?: UserFields[Name] | undefined }

/** The response for a user. The store has only a hash of the external user ID, so the response cannot contain the ID (spec 2.1). */
function toReply(user: UserRecord, customer: string) {
  return { ...user, customer, external_user_id: null }
}

function alreadyExists(): Refusal {
  return new Refusal(400, 'a user with this external_user_id already exists')
}

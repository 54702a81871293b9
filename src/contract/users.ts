import * as z from 'zod/mini'
import { once } from '../base/functions.ts'
import { endpoint, readEndpoint, userRules } from './endpoint.ts'
import { date, externalUserId, uuid } from './fields.ts'
import { sexes, unitSystems, userLanguages } from './values.ts'

/** The fields of a user that a caller can set (spec 2.1). */
const fields = once(() => ({
  birth_date: z.nullable(date),
  sex: z.nullable(z.enum(sexes)),
  language: z.nullable(z.enum(userLanguages)),
  preferred_unit_system: z.nullable(z.enum(unitSystems)),
}))

/** A user (spec 2.1). The service stores only a hash of the external user ID, and returns null in its place. */
const user = once(() =>
  z.strictObject({
    user_id: uuid,
    customer: z.string(),
    external_user_id: z.nullable(z.string()),
    ...fields(),
  }),
)

const settableFields = () => z.partial(z.object(fields()))
const userUpdate = () => z.extend(settableFields(), { external_user_id: z.optional(externalUserId) })

export const users = {
  create: endpoint('POST /v2/users', 'Create a user', {
    section: '4.1',
    credentials: ['key'],
    retry: 'once',
    effect: 'change',
    schemas: () => ({
      body: z.extend(settableFields(), {
        external_user_id: externalUserId,
        language: z._default(z.nullable(z.enum(userLanguages)), 'en'),
      }),
      bodyInEarlierRevision: userUpdate(),
      replies: { 201: user() },
    }),
  }),
  get: readEndpoint('GET /v2/users', 'Get a user', {
    section: '4.1',
    credentials: ['key'],
    user: userRules.eitherInQuery,
    schemas: () => {
      const measure = z.strictObject({ value: z.number(), unit: z.string() })
      const details = {
        weight: z.optional(measure),
        height: z.optional(measure),
        hypertension: z.optional(z.int()),
      }
      return { replies: { 200: z.strictObject({ ...user().shape, ...details }) } }
    },
  }),
  update: endpoint('PUT /v2/users/{user_id}', 'Update a user; omitted fields stay unchanged', {
    section: '4.1',
    credentials: ['key'],
    retry: 'repeatable',
    effect: 'change',
    schemas: () => ({
      params: z.object({ user_id: uuid }),
      body: userUpdate(),
      replies: { 200: user() },
    }),
  }),
  authenticate: endpoint('POST /v2/users/authenticate', 'Create an action token for a user', {
    section: '4.1',
    credentials: ['key'],
    user: userRules.eitherInBody,
    secretReply: true,
    retry: 'once',
    effect: 'read',
    schemas: () => ({ replies: { 201: z.strictObject({ token: z.string() }) } }),
  }),
  delete: endpoint('DELETE /v2/users/', 'Delete a user and all of their data', {
    section: '4.1',
    credentials: ['key'],
    user: userRules.internalInQuery,
    retry: 'repeatable',
    effect: 'destroy',
    schemas: () => ({ replies: { 204: null } }),
  }),
}

import * as z from 'zod'
import { endpoint, userRules } from './endpoint.ts'
import { date, uuid } from './fields.ts'
import { sexes, unitSystems, userLanguages } from './values.ts'

const measure = z.looseObject({ value: z.number(), unit: z.string() })

/** A user (specification, section 2.1). The external id is stored hashed and never returned, so it is null or absent. */
const user = z.looseObject({
  user_id: uuid,
  customer: z.string(),
  external_user_id: z.string().nullish(),
  birth_date: date.nullish(),
  sex: z.enum(sexes).nullish(),
  language: z.enum(userLanguages).nullish(),
  preferred_unit_system: z.enum(unitSystems).nullish(),
})

const userDetails = user.extend({
  weight: measure.nullish(),
  height: measure.nullish(),
  hypertension: z.int().nullish(),
})

const externalUserId = z.string().min(1)

/** The fields of a user that a caller can set. */
const userFields = z.object({
  birth_date: date.nullish(),
  sex: z.enum(sexes).nullish(),
  language: z.enum(userLanguages).nullish(),
  preferred_unit_system: z.enum(unitSystems).nullish(),
})

export const users = {
  create: endpoint({
    method: 'POST',
    path: '/v2/users',
    summary: 'Create a user',
    section: '4.1',
    credentials: ['key'],
    body: userFields.extend({ external_user_id: externalUserId }),
    replies: { 201: user },
    retry: 'once',
    effect: 'change',
  }),
  get: endpoint({
    method: 'GET',
    path: '/v2/users',
    summary: 'Get a user',
    section: '4.1',
    credentials: ['key'],
    user: userRules.eitherInQuery,
    replies: { 200: userDetails },
    retry: 'read',
    effect: 'read',
  }),
  update: endpoint({
    method: 'PUT',
    path: '/v2/users/{user_id}',
    summary: 'Update a user; what is not sent stays',
    section: '4.1',
    credentials: ['key'],
    params: z.object({ user_id: uuid }),
    body: userFields.extend({ external_user_id: externalUserId.optional() }),
    replies: { 200: user },
    retry: 'repeatable',
    effect: 'change',
  }),
  authenticate: endpoint({
    method: 'POST',
    path: '/v2/users/authenticate',
    summary: 'Create an action token for a user',
    section: '4.1',
    credentials: ['key'],
    user: userRules.eitherInBody,
    replies: { 201: z.looseObject({ token: z.string() }) },
    secretReply: true,
    retry: 'once',
    effect: 'read',
  }),
  delete: endpoint({
    method: 'DELETE',
    path: '/v2/users/',
    summary: 'Delete a user and all of the user’s data',
    section: '4.1',
    credentials: ['key'],
    user: userRules.internalInQuery,
    replies: { 204: null },
    retry: 'repeatable',
    effect: 'destroy',
  }),
}

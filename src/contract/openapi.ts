import * as z from 'zod/mini'
import { fieldsOf } from '../base/json.ts'
import type { Endpoint } from './endpoint.ts'
import { identifiers } from './fields.ts'
import { endpoints } from './index.ts'

type Json = Record<string, unknown>

/** Body of every 4xx and 5xx response except 422 (spec 7). */
export const detail = z.object({ detail: z.string() })

/** Body of a 422 response (spec 7). */
export const validationDetail = z.object({
  detail: z.array(
    z.object({
      loc: z.array(z.union([z.string(), z.int()])),
      msg: z.string(),
      type: z.string(),
    }),
  ),
})

/** The contract as an OpenAPI 3.1 document. `serverUrl` is the base URL of all paths. */
export function openApi(version: string, serverUrl: string): Json & { openapi: string } {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Face-scan health insights service',
      version,
      description:
        'Users, face-scan links, biomarkers, metrics, wellbeing, answers, recommendations, and widgets. ' +
        'Each operation cites the section of the specification that defines it.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.values(tags),
    paths: paths(),
    components: {
      securitySchemes,
      schemas: { Detail: schemaOf(detail), ValidationDetail: schemaOf(validationDetail) },
    },
  }
}

const securitySchemes = {
  key: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description:
      'API key with full access to all data (specification, section 5). The alias of a development key ends in -DEV.',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      '"Token", a space, and an action token (specification, section 5). The token identifies the user, so the request must not contain a user identifier.',
  },
}

/** OpenAPI tags, by section number of the specification. */
const tags: Record<string, { name: string; description: string }> = {
  '4.1': { name: 'Users', description: 'End users and their action tokens' },
  '4.2': { name: 'Face-scan links', description: 'Links to start a face scan' },
  '4.3': { name: 'Biomarkers', description: 'Biomarkers from a user’s face scans' },
  '4.4': { name: 'Metrics and wellbeing', description: 'Scores derived from scans and answers' },
  '4.5': { name: 'Questions', description: 'Health questions and answers' },
  '4.6': { name: 'Dashboards', description: 'One-time links to the health dashboard' },
  '4.7': { name: 'Recommendations', description: 'Recommendations based on the user’s profile and scans' },
  '4.8': { name: 'Regulatory', description: 'The regulatory label' },
  '4.9': { name: 'Widgets', description: 'Deprecated; use the biomarker and metric endpoints instead' },
}

const errorTexts: Record<number, string> = {
  400: 'Invalid request',
  401: 'Missing or invalid credentials',
  403: 'The credential does not have the required permission',
  404: 'The user, resource, or endpoint does not exist',
  413: 'The request body is too large',
  422: 'One or more fields in the request body are invalid',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
}

/** The error statuses that an endpoint can return. They follow from its input (spec 7). */
export function errorStatuses(endpoint: Endpoint): number[] {
  const hasBody = endpoint.body !== undefined || endpoint.user?.in === 'body'
  const takesValues = endpoint.params ?? endpoint.query ?? endpoint.user
  return [
    ...(takesValues || hasBody || endpoint.credentials.includes('token') ? [400] : []),
    ...(endpoint.credentials.length > 0 ? [401, 403] : []),
    404,
    ...(hasBody ? [413, 422] : []),
    ...[500, 502, 503],
  ]
}

function paths(): Json {
  const byPath: Record<string, Json> = {}
  for (const [name, endpoint] of endpoints()) {
    const method = endpoint.method.toLowerCase()
    byPath[endpoint.path] = { ...byPath[endpoint.path], [method]: operation(name, endpoint) }
  }
  return byPath
}

function operation(name: string, endpoint: Endpoint): Json {
  const parameters = [
    ...parametersOf(endpoint.params, 'path'),
    ...identifierParameters(endpoint),
    ...parametersOf(endpoint.query, 'query'),
  ]
  const body = bodySchema(endpoint)
  return {
    operationId: name.replace('.', '_'),
    tags: [tags[endpoint.section]?.name],
    summary: endpoint.summary,
    description: describe(endpoint),
    ...(endpoint.deprecated ? { deprecated: true } : {}),
    security: endpoint.credentials.map((credential) => ({ [credential]: [] })),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: { ...successes(endpoint), ...failures(endpoint) },
  }
}

function describe({ section, user, credentials, bodyInEarlierRevision }: Endpoint): string {
  const source = `Specification, section ${section}.`
  if (bodyInEarlierRevision)
    return `${source} The earlier revision of the specification does not require external_user_id.`
  if (!user || user.earlier.length === 1) return source
  const withKey = credentials.includes('token') ? ' with an API key' : ''
  return (
    `${source} A request${withKey} must identify the user by either ${user.earlier.join(' or ')}, but not both. ` +
    `The current revision accepts only ${user.current.join(' and ')}.`
  )
}

function parametersOf(schema: z.ZodMiniObject | undefined, place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.shape ?? {}).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || !z.safeParse(value, undefined).success,
    schema: schemaOf(value),
  }))
}

function identifierParameters({ user, credentials }: Endpoint): Json[] {
  if (user?.in !== 'query') return []
  const isOptional = user.documentedAsOptional || credentials.includes('token')
  const required = user.earlier.length === 1 && !isOptional
  return user.earlier.map((name) => ({
    name,
    in: 'query',
    required,
    schema: schemaOf(identifiers[name]),
  }))
}

function bodySchema({ body, user }: Endpoint): Json | undefined {
  const own = body && schemaOf(body)
  if (user?.in !== 'body') return own
  const accepted = Object.fromEntries(user.earlier.map((name) => [name, schemaOf(identifiers[name])]))
  return {
    ...(own ?? { type: 'object' }),
    properties: { ...accepted, ...fieldsOf(own?.['properties']) },
    oneOf: user.earlier.map((name) => ({ required: [name] })),
  }
}

function successes(endpoint: Endpoint): Json {
  const replies = Object.entries(endpoint.replies).map(([status, reply]) => {
    const description = status === '204' ? 'No content' : 'Success'
    if (reply === null) return [status, { description }]
    if (reply === 'png') return [status, { description, content: { 'image/png': {} } }]
    return [status, { description, content: { 'application/json': { schema: schemaOf(reply, 'output') } } }]
  })
  return Object.fromEntries(replies)
}

function failures(endpoint: Endpoint): Json {
  const replies = errorStatuses(endpoint).map((status) => {
    const schema = { $ref: `#/components/schemas/${status === 422 ? 'ValidationDetail' : 'Detail'}` }
    return [status, { description: errorTexts[status], content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries(replies)
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output' = 'input'): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod
      // Unknown fields are allowed, because a later version of the service may add fields.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
      // The format date-time requires a time zone. A local time has no time zone, so its schema has only a pattern.
      if ('local' in def && def.local) delete jsonSchema.format
      // If a schema has two patterns, zod omits the format, so it is added here.
      else if ('format' in def && def.format === 'datetime') jsonSchema.format = 'date-time'
      // Some tools do not support `prefixItems`, and all tuples in the contract are pairs of one type.
      const { length, 0: items } = jsonSchema.prefixItems ?? []
      if (length) Object.assign(jsonSchema, { items, minItems: length, maxItems: length })
      delete jsonSchema.prefixItems
    },
  })
  return json
}

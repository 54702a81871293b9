import * as z from 'zod'
import type { ErrorCode } from '../base/errors.ts'
import type { Effect, EndpointDefinition } from '../contract/endpoint.ts'
import { contract } from '../contract/index.ts'
import { toLenient } from '../contract/lenient.ts'
import { fromImport, fromService, localOutputs } from './local-outputs.ts'

/** What a command prints as JSON, and whether it speaks to the service. */
export interface Output {
  schema: z.core.$ZodType
  service: boolean
  /** Where it is not the one of the command: what the worst request of the command does. */
  effect?: Effect
  /** What it does to files and keys of this machine. */
  localEffect: Effect
  /** What it can fail with besides what any command can. */
  failures: readonly ErrorCode[]
}

/** The success replies of an endpoint; an empty one is printed as null, an image is bytes. */
function replyOf(endpoint: EndpointDefinition): z.core.$ZodType {
  const replies = Object.values(endpoint.replies).map((reply) => {
    if (reply === 'png') return image
    return reply === null ? z.null() : toLenient(reply)
  })
  const [first = z.null(), ...rest] = replies
  return rest.length === 0 ? first : z.union([first, ...rest])
}

/** Sends nothing without a key; one of another profile is refused, also where it would only read. */
function service(schema: z.core.$ZodType): Output {
  return { schema, service: true, localEffect: 'read', failures: [...fromService, 'refused'] }
}

function importing(schema: z.core.$ZodType): Output {
  const { failures, ...output } = service(schema)
  return { ...output, localEffect: 'change', failures: [...failures, ...fromImport] }
}

const image = z
  .string()
  .meta({ contentMediaType: 'image/png', description: 'the bytes of a PNG image, not JSON' })
const delivered = z.looseObject({ delivered: z.array(z.string()), expires_at: z.string().nullable() })
const expiry = { expires_at: z.string().optional() }
const link = z.looseObject({ url: z.string(), ...expiry })
const answered = contract.questions.answered.replies[200].shape.items
const { users, biomarkers, questions, widgets } = contract

const span = z.looseObject({
  scans: z.int(),
  first: z.string().nullable(),
  last: z.string().nullable(),
})

/** Values are in the unit of the biomarker, null where a span has no scans. */
const comparison = z.looseObject({
  before: span,
  after: span,
  biomarkers: z.array(
    z.looseObject({
      biomarker: z.string(),
      unit: z.string(),
      before: z.number().nullable(),
      after: z.number().nullable(),
      change: z.number().nullable(),
      change_percent: z.number().nullable(),
    }),
  ),
})

const imported = z.looseObject({
  id: z.string(),
  status: z.enum(['finished', 'stopped']),
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  unsent: z.int(),
})
const planned = z.looseObject({
  rows: z.int(),
  users: z.int(),
  requests: z.int(),
  profile: z.string().nullable(),
  host: z.string(),
})

/** By command. What the service answers is passed through, so its schemas are those of the contract. */
export const outputs: Readonly<Record<string, Output>> = {
  'users create': service(toLenient(users.get.replies[200])),
  'users get': service(replyOf(users.get)),
  'users update': service(replyOf(users.update)),
  'users delete': service(z.object({ user_id: z.string(), deleted: z.literal(true) })),
  'scan-url': service(z.union([link, delivered, toLenient(biomarkers.latest.replies[200])])),
  'dashboard-url': service(z.union([link, delivered])),
  token: service(z.union([z.looseObject({ token: z.string(), ...expiry }), delivered])),
  'biomarkers list': service(replyOf(biomarkers.list)),
  'biomarkers latest': service(replyOf(biomarkers.latest)),
  'biomarkers get': service(replyOf(biomarkers.get)),
  'biomarkers compare': service(comparison),
  metrics: service(replyOf(contract.metrics)),
  wellbeing: service(replyOf(contract.wellbeing)),
  summary: service(replyOf(contract.summary)),
  recommendations: service(replyOf(contract.recommendations)),
  'answers keys': service(replyOf(questions.all)),
  'answers list': service(toLenient(answered)),
  'answers save': service(replyOf(questions.answer)),
  'answers import': importing(z.union([imported, planned])),
  'imports resume': importing(imported),
  'ce-label': service(replyOf(contract.ceLabel)),
  'widgets biomarker': service(replyOf(widgets.biomarker)),
  'widgets metric': service(replyOf(widgets.metric)),
  'widgets graph': service(replyOf(widgets.graph)),
  api: { ...service(z.unknown()), effect: 'destroy' },
  ...Object.fromEntries(
    Object.entries(localOutputs).map(([name, { schema, effect, failures = [] }]) => [
      name,
      {
        schema,
        service: false,
        localEffect: effect,
        failures: effect === 'read' ? failures : [...failures, 'refused'],
      } satisfies Output,
    ]),
  ),
}

import * as z from 'zod/mini'
import { changes } from '../../audit/changes.ts'
import { type ErrorCode, exitCodes } from '../../base/errors.ts'
import type { EndpointName, ReplyOf } from '../../contract/index.ts'
import { replySchema } from '../../contract/index.ts'
import { answers } from '../answers/schema.ts'

/** The response of an endpoint. Null if it could not be read. */
const response = <Name extends EndpointName>(name: Name) =>
  z.nullable(replySchema(name) as z.core.$ZodType<ReplyOf<Name>>)

const codes = Object.keys(exitCodes).filter((code) => code !== 'ok') as ErrorCode[]

const parts = [
  'user',
  'biomarkers',
  'metrics',
  'wellbeing',
  'questions',
  'answers',
  'recommendations',
  'changes',
] as const

export type OverviewPart = (typeof parts)[number]
export type Overview = z.infer<typeof overview>

/** The responses of the service as received, and the reason for each missing part. */
export const overview = z.strictObject({
  user: response('users.get'),
  /** At most 100 scans, newest first. */
  biomarkers: response('biomarkers.list'),
  metrics: response('metrics'),
  wellbeing: response('wellbeing'),
  /** All lookup keys of the service. */
  questions: response('questions.all'),
  /** Answers from all pages. */
  answers: z.nullable(answers),
  recommendations: response('recommendations'),
  /** The latest change to the user from this machine. Empty if there is none. */
  changes: z.nullable(changes),
  problems: z.array(
    z.strictObject({
      part: z.enum(parts),
      code: z.enum(codes),
      message: z.string(),
      status: z.nullable(z.int()),
    }),
  ),
})

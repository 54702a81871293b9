import * as z from 'zod/mini'
import { readEndpoint } from './endpoint.ts'
import { date, uuid } from './fields.ts'
import { alsoSeen, sometimesMissing } from './lenient.ts'

const pair = () => z.tuple([z.number(), z.number()])
const parameter = () => z.string().check(z.minLength(1))

const shared = {
  section: '4.9',
  credentials: ['token'],
  deprecated: true,
} as const

/** Widget data (spec 2.8). */
export const widgets = {
  biomarker: readEndpoint('POST /v2/widgets/biomarker', 'Get biomarker widget data', {
    ...shared,
    schemas: () => ({
      body: z.object({ data: z.object({ face_scan_id: uuid, parameter: parameter() }) }),
      replies: {
        200: z.strictObject({
          data: z.strictObject({
            value: sometimesMissing(z.number()),
            name: z.string(),
            unit: sometimesMissing(z.string()),
            range: sometimesMissing(pair()),
            percentage: sometimesMissing(z.number()),
            zone: alsoSeen(z.string(), z.unknown()),
            optimum: alsoSeen(z.number(), z.unknown()),
            gradientstops: sometimesMissing(pair()),
            title: z.string(),
          }),
          config: z.strictObject({ face_scan_id: z.string(), parameter: z.string() }),
        }),
      },
    }),
  }),
  metric: readEndpoint('POST /v2/widgets/metric', 'Get metric widget data', {
    ...shared,
    schemas: () => ({
      body: z.object({ data: z.object({ parameter: parameter() }) }),
      replies: {
        200: z.strictObject({
          data: z.strictObject({
            title: z.string(),
            name: z.string(),
            value: z.nullable(z.number()),
            value_str: z.nullable(z.string()),
            unit: z.nullable(z.string()),
            range: z.nullable(pair()),
            percentage: z.nullable(z.number()),
            zone: z.nullable(alsoSeen(z.string(), z.unknown())),
            optimum: z.nullable(alsoSeen(z.number(), z.unknown())),
            locked: z.boolean(),
          }),
          config: z.strictObject({ parameter: z.string() }),
        }),
      },
    }),
  }),
  graph: readEndpoint('POST /v2/widgets/graph', 'Get graph widget data', {
    ...shared,
    schemas: () => {
      const limit = z.nullable(z.number())
      const point = z.strictObject({
        value: z.nullable(z.number()),
        hint: sometimesMissing(z.string()),
        label: sometimesMissing(z.string()),
        timestamp: alsoSeen(z.string(), z.number()),
      })
      const config = z.strictObject({ title: z.string(), y_range: z.tuple([limit, limit]) })
      const asked = { title: z.optional(z.string()), start: z.optional(date), stop: z.optional(date) }
      return {
        body: z.object({ data: z.object({ parameter: parameter(), ...asked }) }),
        replies: { 200: z.strictObject({ data: z.array(point), config }) },
      }
    },
  }),
}

import * as z from 'zod/mini'
import { readEndpoint } from './endpoint.ts'
import { date, uuid } from './fields.ts'
import { alsoSeen, sometimesMissing } from './lenient.ts'

const number = sometimesMissing(z.number())
const pair = z.tuple([z.number(), z.number()])
const parameter = z.string().check(z.minLength(1))

/** Biomarker widget data (spec 2.8). */
const biomarkerWidget = z.strictObject({
  data: z.strictObject({
    value: number,
    name: z.string(),
    unit: sometimesMissing(z.string()),
    range: sometimesMissing(pair),
    percentage: number,
    zone: alsoSeen(z.string(), z.unknown()),
    optimum: alsoSeen(z.number(), z.unknown()),
    gradientstops: sometimesMissing(pair),
    title: z.string(),
  }),
  config: z.strictObject({ face_scan_id: z.string(), parameter: z.string() }),
})

/** Metric widget data (spec 2.8). */
const metricWidget = z.strictObject({
  data: z.strictObject({
    title: z.string(),
    name: z.string(),
    value: z.nullable(z.number()),
    value_str: z.nullable(z.string()),
    unit: z.nullable(z.string()),
    range: z.nullable(pair),
    percentage: z.nullable(z.number()),
    zone: z.nullable(alsoSeen(z.string(), z.unknown())),
    optimum: z.nullable(alsoSeen(z.number(), z.unknown())),
    locked: z.boolean(),
  }),
  config: z.strictObject({ parameter: z.string() }),
})

/** Graph widget data (spec 2.8). */
const graphWidget = z.strictObject({
  data: z.array(
    z.strictObject({
      value: z.nullable(z.number()),
      hint: sometimesMissing(z.string()),
      label: sometimesMissing(z.string()),
      timestamp: alsoSeen(z.string(), z.number()),
    }),
  ),
  config: z.strictObject({
    title: z.string(),
    y_range: z.tuple([z.nullable(z.number()), z.nullable(z.number())]),
  }),
})

const shared = {
  section: '4.9',
  method: 'POST',
  credentials: ['token'],
  deprecated: true,
} as const

export const widgets = {
  biomarker: readEndpoint({
    ...shared,
    path: '/v2/widgets/biomarker',
    summary: 'Get biomarker widget data',
    body: z.object({ data: z.object({ face_scan_id: uuid, parameter }) }),
    replies: { 200: biomarkerWidget },
  }),
  metric: readEndpoint({
    ...shared,
    path: '/v2/widgets/metric',
    summary: 'Get metric widget data',
    body: z.object({ data: z.object({ parameter }) }),
    replies: { 200: metricWidget },
  }),
  graph: readEndpoint({
    ...shared,
    path: '/v2/widgets/graph',
    summary: 'Get graph widget data',
    body: z.object({
      data: z.object({
        parameter,
        title: z.optional(z.string()),
        start: z.optional(date),
        stop: z.optional(date),
      }),
    }),
    replies: { 200: graphWidget },
  }),
}

import * as z from 'zod'
import { endpoint } from './endpoint.ts'
import { date, uuid } from './fields.ts'

const number = z.number().nullish()
const pair = z.tuple([z.number(), z.number()])

const shared = {
  section: '4.9',
  method: 'POST',
  credentials: ['token'],
  retry: 'read',
  effect: 'read',
  deprecated: true,
} as const

export const widgets = {
  biomarker: endpoint({
    ...shared,
    path: '/v2/widgets/biomarker',
    summary: 'Get biomarker widget data',
    body: z.object({ data: z.object({ face_scan_id: uuid, parameter: z.string().min(1) }) }),
    replies: {
      200: z.looseObject({
        data: z.looseObject({
          value: number,
          name: z.string(),
          unit: z.string().nullish(),
          range: pair.nullish(),
          percentage: number,
          zone: z.unknown(),
          optimum: z.unknown(),
          gradientstops: pair.nullish(),
          title: z.string(),
        }),
        config: z.looseObject({ face_scan_id: z.string(), parameter: z.string() }),
      }),
    },
  }),
  metric: endpoint({
    ...shared,
    path: '/v2/widgets/metric',
    summary: 'Get metric widget data',
    body: z.object({ data: z.object({ parameter: z.string().min(1) }) }),
    replies: {
      200: z.looseObject({
        data: z.looseObject({
          title: z.string(),
          name: z.string(),
          value: number,
          value_str: z.string().nullish(),
          unit: z.string().nullish(),
          range: pair.nullish(),
          percentage: number,
          zone: z.unknown(),
          optimum: z.unknown(),
          locked: z.boolean(),
        }),
        config: z.looseObject({ parameter: z.string() }),
      }),
    },
  }),
  graph: endpoint({
    ...shared,
    path: '/v2/widgets/graph',
    summary: 'Get graph widget data',
    body: z.object({
      data: z.object({
        parameter: z.string().min(1),
        title: z.string().optional(),
        start: date.optional(),
        stop: date.optional(),
      }),
    }),
    replies: {
      200: z.looseObject({
        data: z.array(
          z.looseObject({
            value: number,
            hint: z.string().nullish(),
            label: z.string().nullish(),
            timestamp: z.union([z.string(), z.number()]),
          }),
        ),
        config: z.looseObject({ title: z.string(), y_range: z.tuple([number, number]) }),
      }),
    },
  }),
}

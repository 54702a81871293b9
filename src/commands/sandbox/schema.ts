import * as z from 'zod/mini'

export const serving = z.strictObject({
  url: z.string(),
  database: z.string(),
  profiles: z.array(z.string()),
})

export const recordedScans = z.strictObject({
  recorded: z.int(),
  first: z.string(),
  last: z.string(),
  latest_face_scan_id: z.string(),
})

export const sandboxKey = z.strictObject({ alias: z.string(), key: z.string() })

export const sandboxStatus = z.strictObject({
  database: z.string(),
  customer: z.string(),
  users: z.int(),
  face_scans: z.int(),
  answers: z.int(),
  keys: z.array(z.string()),
  serving: z.nullish(z.string()),
})

export const resetSandbox = z.strictObject({ database: z.string(), reset: z.literal(true) })

export const openApiDocument = z.looseObject({ openapi: z.string() })

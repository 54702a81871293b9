import * as z from 'zod'
import { languages } from './values.ts'

const uuidPattern = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/

/** An id as seen in the field: a dashed UUID, or its 32 hexadecimal digits. */
export const uuid = z.string().regex(uuidPattern, 'invalid uuid provided')

/** A calendar date, YYYY-MM-DD. */
export const date = z.iso.date()

/** An ISO 8601 date and time; the zone designator may be absent where the specification says so. */
export const localDateTime = z.iso.datetime({ local: true, offset: true })

export const offsetDateTime = z.iso.datetime({ offset: true })

export const language = z.enum(languages)

/** A percentage from 0 to 100 with at most two decimals. */
export const percentage = z.number().min(0).max(100)

export const positiveInteger = z.int().min(1)

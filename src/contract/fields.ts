import * as z from 'zod'
import { languages, uuidPattern } from './values.ts'

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

import { en } from 'zod/locales'
import * as z from 'zod/mini'
import { readAs } from './lenient.ts'
import { languages, uuidPattern } from './values.ts'

// zod/mini loads three times faster than zod, but it needs a language for its error messages.
z.config(en())

export const uuid = z.string().check(z.regex(uuidPattern, 'invalid uuid provided'))

/** The ID that the caller assigned to a user (spec 2.1). */
export const externalUserId = z.string().check(
  z.minLength(1),
  z.refine((text) => text.isWellFormed(), 'must be valid Unicode text'),
)

export const identifiers = { external_user_id: externalUserId, user_id: uuid }

export const date = z.iso.date()

/** An ISO 8601 date and time with an optional time zone. */
export const localDateTime = z.iso.datetime({ local: true, offset: true })

// Each pattern starts with ^, because validators combine patterns as lookaheads, which could match elsewhere.

export const zonelessDateTime = z.iso
  .datetime({ local: true, error: 'must be a date and time without a time zone (no Z or +02:00 at the end)' })
  .check(z.regex(/^.*\d$/, 'must not have a time zone (such as Z or +02:00)'))

const withOffset = z.iso.datetime({ offset: true })

/** A time with a UTC offset. Some services omit the colon in the offset, so it is optional. */
const anyOffset = z.union([
  withOffset,
  z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d{4}$/)),
])

export const offsetDateTime = readAs(withOffset, anyOffset)

/** The time of a face scan (spec 2.3). Some services omit the fraction of the second. */
export const preciseDateTime = readAs(
  withOffset.check(z.regex(/^.*\.\d/, 'must include fractional seconds')),
  anyOffset,
)

export const language = z.enum(languages)

export const percentage = z.number().check(z.minimum(0), z.maximum(100))

/** A percentage from 0 to 100 with at most two decimals (spec 2.3a). */
export const twoDecimals = percentage.check(
  z.refine(
    (value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
    'must have at most two decimal places',
  ),
)

// Not a `multipleOf` rule, because validators check it with binary fractions and would refuse valid values such as 0.07.
z.globalRegistry.add(twoDecimals, { description: 'at most two decimal places' })

export const positiveInteger = z.int().check(z.minimum(1))

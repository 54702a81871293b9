import * as z from 'zod/mini'

export const anyValue = z.unknown()

export const noValue = z.null()

import { shapeOf } from '../contract/shape.ts'
import { keyFileSchema, profileFileSchema } from './profile-schema.ts'

/** The schemas of the files as plain data: the build writes them in, so that a file is read without zod. */
export const profileFileShape = shapeOf(profileFileSchema)
export const keyFileShape = shapeOf(keyFileSchema)

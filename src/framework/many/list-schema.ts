import * as z from 'zod/mini'

/** The result of a run for a list. The counts add up to the number of users. */
export const listSummary = z.strictObject({
  users: z.int(),
  done: z.int(),
  failed: z.int(),
  not_tried: z.int(),
  /** Path of the results if the run is complete. */
  file: z.nullable(z.string()),
  errors_file: z.nullable(z.string()),
})

export type ListSummary = z.infer<typeof listSummary>

/** The result of `users import`. If --with-answers is set and an earlier run created the users, `users` is null. */
export async function usersImport() {
  const { answersImport } = await import('../../bulk/schemas.ts')
  return z.union([listSummary, z.strictObject({ users: z.nullable(listSummary), answers: answersImport })])
}

const id = z.optional(z.nullable(z.string()))

/**
 * The schema of the output. Without `--users`, the output is the result for one user. With `--users`, a change prints a summary. Other
 * commands print one object per user, which also contains the columns that are copied from the list.
 */
export function withListOutput(output: z.core.$ZodType, isChange: boolean): z.core.$ZodType {
  const listed = z.looseObject({ external_user_id: id, user_id: id, result: output })
  return z.union([output, isChange ? listSummary : z.array(listed)])
}

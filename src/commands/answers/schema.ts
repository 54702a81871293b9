import type * as z from 'zod/mini'
import { contract, type ReplyOf } from '../../contract/index.ts'
import { toLenient } from '../../contract/lenient.ts'

/** Schema of the answers from all pages. */
export const answers = toLenient(contract.questions.answered.replies[200].shape.items) as z.core.$ZodType<
  ReplyOf<'questions.answered'>['items']
>

import { RefusedError } from '../../base/errors.ts'

export function endOfInput(): RefusedError {
  return new RefusedError('canceled: the input ended without an answer', { hint: 'Nothing was changed.' })
}

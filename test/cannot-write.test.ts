import { expect, test } from 'vitest'
import { cannotWrite } from '../src/cannot-write.ts'
import { UsageError } from '../src/errors.ts'

test.each([new TypeError('a bug'), new UsageError('told already')])(
  'what is not the system’s refusal stays what it is: %s',
  (error) => {
    expect(cannotWrite('the file', error, 'Make room.')).toBe(error)
  },
)

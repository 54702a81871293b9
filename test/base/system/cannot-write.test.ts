import { expect, test } from 'vitest'
import { UsageError } from '../../../src/base/errors.ts'
import { cannotWrite } from '../../../src/base/system/cannot-write.ts'

test.each([new TypeError('a bug'), new UsageError('told already')])(
  'what is not the system’s refusal stays what it is: %s',
  (error) => {
    expect(cannotWrite('the file', error, 'Make room.')).toBe(error)
  },
)

import { expect, test } from 'vitest'
import { UsageError } from '../../../src/base/errors.ts'
import { cannotWrite } from '../../../src/base/system/system-code.ts'

test.each([new TypeError('a bug'), new UsageError('already explained')])(
  'an error that is not from the system is returned unchanged: %s',
  (error) => {
    expect(cannotWrite('the file', error, 'Make room.')).toBe(error)
  },
)

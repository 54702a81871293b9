import { sexes, unitSystems, userLanguages } from '../../contract/values.ts'
import type { OptionRow, OptionValues } from '../../options.ts'
import { isoDate } from '../../values.ts'

/** The fields of a user that can be set (specification, section 2.1). */
export const fieldOptions = [
  ['--birth-date <date>', 'date of birth, YYYY-MM-DD', { parse: isoDate }],
  ['--sex <sex>', 'sex at birth', { choices: sexes }],
  ['--language <code>', 'default language', { choices: userLanguages }],
  ['--unit-system <system>', 'preferred units', { choices: unitSystems }],
] as const satisfies readonly OptionRow[]

/** The request body of the fields given; what is not given is left out, and the service leaves it unchanged. */
export function toFields(options: OptionValues<typeof fieldOptions>) {
  return {
    ...(options.birthDate !== undefined && { birth_date: options.birthDate }),
    ...(options.sex !== undefined && { sex: options.sex }),
    ...(options.language !== undefined && { language: options.language }),
    ...(options.unitSystem !== undefined && { preferred_unit_system: options.unitSystem }),
  }
}

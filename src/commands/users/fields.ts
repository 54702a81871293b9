import { sexes, type UserLanguage, unitSystems, userLanguages } from '../../contract/values.ts'
import { flag, type OptionValues } from '../../framework/options.ts'
import { birthDate, oneOf } from '../../framework/values.ts'

const languageNames: Readonly<Record<UserLanguage, string>> = {
  en: 'English',
  nl: 'Dutch',
  fr: 'French',
  da: 'Danish',
  sv: 'Swedish',
}

/** The fields of a user that can be set (spec 2.1). */
export const fieldOptions = {
  birthDate: flag('--birth-date <date>', 'date of birth (YYYY-MM-DD)', birthDate, { isPrompted: true }),
  sex: flag('--sex <sex>', 'sex at birth', oneOf(sexes), {
    choiceNames: { F: 'female', M: 'male' },
    isPrompted: true,
  }),
  language: flag('--language <code>', 'default language', oneOf(userLanguages), {
    choiceNames: languageNames,
    isPrompted: true,
  }),
  unitSystem: flag('--unit-system <system>', 'preferred unit system', oneOf(unitSystems), {
    column: 'preferred_unit_system',
    isPrompted: true,
  }),
}

/** The request body with only the passed fields. The service keeps other fields. */
export function toFields(options: Partial<OptionValues<typeof fieldOptions>>) {
  return {
    ...(options.birthDate !== undefined && { birth_date: options.birthDate }),
    ...(options.sex !== undefined && { sex: options.sex }),
    ...(options.language !== undefined && { language: options.language }),
    ...(options.unitSystem !== undefined && { preferred_unit_system: options.unitSystem }),
  }
}

import type { Ask } from '../../command/ask.ts'
import { accepts, given } from '../../command/interview-words.ts'
import type { OptionRow, OptionValues } from '../../command/options.ts'
import { isoDate } from '../../command/values.ts'
import { sexes, type UserLanguage, unitSystems, userLanguages } from '../../contract/values.ts'

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

const passOver = { name: 'leave it out', value: '' }
const languageNames: Readonly<Record<UserLanguage, string>> = {
  en: 'English',
  nl: 'Dutch',
  fr: 'French',
  da: 'Danish',
  sv: 'Swedish',
}

/** Asks for each field; what is passed over is left out. */
export async function askForFields(ask: Ask): Promise<string[]> {
  const birthDate = await ask.text('Date of birth, YYYY-MM-DD (empty leaves it out)', {
    validate: (text) => text.trim() === '' || accepts(isoDate)(text),
  })
  const sex = await ask.select('Sex at birth', [
    { name: 'female', value: 'F' },
    { name: 'male', value: 'M' },
    passOver,
  ])
  const language = await ask.select('Language', [
    ...userLanguages.map((code) => ({ name: languageNames[code], value: code })),
    passOver,
  ])
  const units = await ask.select('Units', [...unitSystems.map((name) => ({ name, value: name })), passOver])
  return [
    ...given('--birth-date', birthDate),
    ...given('--sex', sex),
    ...given('--language', language),
    ...given('--unit-system', units),
  ]
}

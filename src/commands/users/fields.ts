import { UsageError } from '../../base/errors.ts'
import { userIdProblem } from '../../base/text.ts'
import { describeDamage } from '../../bulk/rows/user-ids.ts'
import {
  languageNames,
  languages,
  sexes,
  sexNames,
  unitSystems,
  userLanguages,
} from '../../contract/values.ts'
import { flag, type OptionValues } from '../../framework/options.ts'
import { birthDate } from '../../framework/times.ts'
import { oneNamed, oneOf } from '../../framework/values.ts'

const named = oneNamed(userLanguages, languageNames)

/** Parses the language of a user. If only links can have this language, the error names the commands that create a link. */
function userLanguage(text: string) {
  const typed = text.toLowerCase()
  const code = languages.find((known) => [known, languageNames[known].toLowerCase()].includes(typed))
  if (code === undefined || userLanguages.some((known) => known === code)) return named(text)
  throw new UsageError(
    `"${text}" is not a language of a user (${userLanguages.join(', ')}); for a link in ${languageNames[code]}, use scan-url or dashboard-url with --language ${code}`,
  )
}

/** The fields of a user that can be set (spec 2.1). */
export const fieldOptions = {
  birthDate: flag('--birth-date <date>', 'date of birth (YYYY-MM-DD)', birthDate, { isPrompted: true }),
  sex: flag('--sex <sex>', 'sex at birth', oneNamed(sexes, sexNames), { isPrompted: true }),
  language: flag('--language <code>', 'default language', Object.assign(userLanguage, named), {
    isPrompted: true,
  }),
  unitSystem: flag('--unit-system <system>', 'preferred unit system', oneNamed(unitSystems, {}), {
    column: 'preferred_unit_system',
    isPrompted: true,
  }),
}

export const fieldNames = Object.keys(fieldOptions) as (keyof typeof fieldOptions)[]

/** The request body. It contains only the fields that were set, because the service keeps all omitted fields. */
export function toFields(options: Partial<OptionValues<typeof fieldOptions>>) {
  return {
    ...(options.birthDate !== undefined && { birth_date: options.birthDate }),
    ...(options.sex !== undefined && { sex: options.sex }),
    ...(options.language !== undefined && { language: options.language }),
    ...(options.unitSystem !== undefined && { preferred_unit_system: options.unitSystem }),
  }
}

/** The rule for a new external user ID. */
export const idRule = flag('--ids <rule>', 'accept an ID with signs of damage', oneOf(['exact']))

/** The reason why a user cannot have a new external user ID. Empty if the ID is valid. */
export function findIdProblems(id: string | undefined, rule: 'exact' | undefined): string[] {
  if (id === undefined) return []
  const isExact = rule === 'exact'
  const exactHint = '; to use this ID, add --ids exact'
  const problem = userIdProblem(id, { isExact })
  const isControl = userIdProblem(id, { isExact: true }) !== undefined
  if (problem !== undefined) return [`the external user ID ${problem}${isControl ? '' : exactHint}`]
  const damage = isExact ? undefined : describeDamage(id)
  return damage ? [`${damage}${exactHint}`] : []
}

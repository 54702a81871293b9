import { countOf, quoteWord } from '../../base/text.ts'
import type { Question } from '../questions.ts'
import { type Field, languageWords, sexWords } from './fields.ts'
import { acceptedValue } from './flag-values.ts'

const maxValues = 50

/** Collects the different values of a column. If one is not recognized, none is accepted without a question. */
export class ValueSurvey {
  private readonly counts = new Map<string, number>()
  private readonly field: Field

  constructor(field: Field) {
    this.field = field
  }

  note(text: string): void {
    if (text === '') return
    const count = this.counts.get(text)
    if (count !== undefined || this.counts.size < maxValues) this.counts.set(text, (count ?? 0) + 1)
  }

  questions(column: string): Question[] {
    const { field, counts } = this
    const values = [...counts.keys()]
    const unknown = values.filter((value) => acceptedValue(field, value) === undefined)
    if (unknown.length === 0) return []
    const listed = [...counts].map(([value, count]) => `"${value}" (${countOf(count, 'row')})`).join(', ')
    const accepted = Object.keys(field.values ?? {}).join(', ')
    const problem = `column "${column}" has values that are not recognized: ${listed}; accepted: ${accepted}`
    const meant = suggest(field, values)
    const flag = (pairs: readonly string[]) => `--values ${quoteWord(`${field.name}:${pairs.join(',')}`)}`
    if (meant) return [{ problem, flags: [flag(values.map((value, at) => `${value}=${meant[at]}`))] }]
    const example = flag(values.map((value) => `${value}=${acceptedValue(field, value) ?? '?'}`))
    return [{ problem: `${problem}. Map every value: ${example}` }]
  }
}

/** Without the region of a language: `nl-NL`. */
function plainValue(value: string): string {
  return value.toLowerCase().replace(/^([a-z]{2})[-_][a-z]{2}$/, '$1')
}

/** The meaning of all values if exactly one language explains them. */
function suggest(field: Field, values: readonly string[]): string[] | undefined {
  const words = { sex: sexWords, language: languageWords }[field.name]
  if (!words) return undefined
  const readings = words.flatMap((words) => {
    const meant = values.map(
      (value) =>
        Object.entries(words).find(([name, spellings]) =>
          [field.name === 'language' ? name : '', ...spellings].includes(plainValue(value)),
        )?.[0],
    )
    return meant.every((value) => value !== undefined) ? [meant] : []
  })
  const different = new Map(readings.map((meant) => [meant.join(), meant]))
  return different.size === 1 ? [...different.values()][0] : undefined
}

import { UsageError } from '../../base/errors.ts'
import { fieldNamed } from '../../bulk/rows/fields.ts'
import { acceptedValue, datePattern } from '../../bulk/rows/flag-values.ts'
import type { Reading } from '../../bulk/types.ts'
import { flag } from '../options.ts'

type Meanings = NonNullable<Reading['values']>

/** The meanings of texts in a field, from one flag. */
type ValueMapping = readonly [field: string, meanings: readonly (readonly [text: string, value: string])[]]

/** Flags for the fields of users in a file. */
export const userValueOptions = {
  dateFormat: flag('--date-format <format>', 'date format, such as DD-MM-YYYY', dateFormat),
  values: flag('--values <field:text=value>', 'meaning of values in a field, such as sex:V=F', valueMapping, {
    many: true,
  }),
}

function dateFormat(text: string): string {
  if (datePattern(text)) return text
  throw new UsageError(`"${text}" is not a date format (use D or DD, M or MM, and YYYY, such as DD-MM-YYYY)`)
}

/** Merges the meanings of values from all flags and from a mapping file. A flag takes precedence. The case of values is ignored. */
export function mergeMeanings(flags: readonly ValueMapping[], saved: Meanings = {}): Meanings {
  const merged = { ...saved }
  for (const [field] of flags) {
    const meanings = flags.filter(([name]) => name === field).flatMap(([, pairs]) => pairs)
    const given = new Map<string, string>()
    for (const [text, value] of meanings) {
      const other = given.get(text.toLowerCase()) ?? value
      if (other !== value)
        throw new UsageError(
          `--values maps the ${field} "${text}" to both ${other || 'no value'} and ${value || 'no value'}`,
        )
      given.set(text.toLowerCase(), value)
    }
    const others = Object.entries(saved[field] ?? {}).filter(([text]) => !given.has(text.toLowerCase()))
    merged[field] = Object.fromEntries([...others, ...meanings])
  }
  return merged
}

function valueMapping(text: string): ValueMapping {
  const [, name = '', list = ''] = /^([^:]+):(.+)$/.exec(text) ?? []
  const field = fieldNamed(name, 'users')
  const isMapped = field?.type === 'choice' || field?.type === 'date'
  // In `text=value,text=value`, a text can contain a comma, but a value cannot. So the first comma after an equals sign ends the pair.
  const pairs = [...list.matchAll(/([^=]+)=([^=,]*)(?:,|$)/g)].map(([, from, to]) => [from, to])
  if (!field || !isMapped || pairs.map((pair) => pair.join('=')).join(',') !== list)
    throw new UsageError(`"${text}" is not a mapping of values (example: sex:V=F,M=M)`)
  const meant = pairs.map(([from = '', to = '']): [string, string] => {
    const value = to.trim() === '' ? '' : acceptedValue(field, to.trim())
    if (value !== undefined) return [from.trim(), value]
    const accepted =
      Object.keys(field.values ?? {}).join(', ') || `only no value, such as ${field.name}:NULL=`
    throw new UsageError(`"${to}" is not a value of ${field.name} (${accepted})`)
  })
  return [field.name, meant]
}

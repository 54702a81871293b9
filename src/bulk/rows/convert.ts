import { UsageError } from '../../base/errors.ts'
import type { Reading } from '../types.ts'
import { readDate, withoutMidnight } from './date-survey.ts'
import { fields } from './fields.ts'
import { acceptedValue, datePattern } from './flag-values.ts'

/** Turns a cell into the value that is sent, or explains why it cannot. */
export type Convert = (text: string) => { text: string } | { problem: string }

/** The conversions for the columns of a file of users, by the name of their field. */
export function convertersFor({ dateFormat, values = {} }: Reading): ReadonlyMap<string, Convert> {
  const converters = new Map<string, Convert>()
  for (const field of fields) {
    if (field.type === 'date') converters.set(field.name, dateConverter(field.name, dateFormat))
    if (field.type !== 'choice') continue
    const mapped = values[field.name]
    converters.set(
      field.name,
      mapped
        ? valueConverter(field.name, mapped)
        : remembered((text) => ({ text: acceptedValue(field, text) ?? text })),
    )
  }
  return converters
}

/** A column has few different values. */
function remembered(convert: Convert): Convert {
  const known = new Map<string, ReturnType<Convert>>()
  return (text) => {
    const found = known.get(text) ?? convert(text)
    if (known.size < 1000) known.set(text, found)
    return found
  }
}

function dateConverter(name: string, format: string | undefined): Convert {
  if (format === undefined) return (text) => ({ text: withoutMidnight(text) })
  const pattern = datePattern(format)
  if (!pattern) throw new UsageError(`--date-format "${format}" is not valid (example: DD-MM-YYYY)`)
  return (text) => {
    const date = readDate(withoutMidnight(text), pattern)
    return date === undefined
      ? { problem: `${name} "${text}" is not a date in the form ${format}` }
      : { text: date }
  }
}

function valueConverter(name: string, mapped: Readonly<Record<string, string>>): Convert {
  const inLowerCase = new Map(Object.entries(mapped).map(([from, to]) => [from.toLowerCase(), to]))
  return (text) => {
    const to = inLowerCase.get(text.toLowerCase())
    return to === undefined ? { problem: `${name} "${text}" is not listed in --values` } : { text: to }
  }
}

import { UsageError } from '../base/errors.ts'

/**
 * Fills the parameters of a path template, each as one encoded segment.
 * Building a path is a security boundary: a value that could climb to another resource is refused, not cleaned.
 */
export function fillPath(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new UsageError(`the path needs a value for ${name}`)
    return encodeSegment(name, value)
  })
}

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new UsageError(`${name} cannot be "${value}": it would name another resource`)
  }
  if (!value.isWellFormed()) throw new UsageError(`${name} is not valid Unicode text`)
  return encodeURIComponent(value)
}

/** Query parameters in the order given; absent ones are left out, lists are repeated. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, String(item))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

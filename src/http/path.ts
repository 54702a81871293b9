import { UsageError } from '../base/errors.ts'

/**
 * Fills the parameters of a path template, each as one encoded segment. Building a path is a security boundary: a value that
 * could reach another resource is refused.
 */
export function fillPath(template: string, params: Readonly<Record<string, string>> = {}): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new UsageError(`${name} is missing from the path`)
    return encodeSegment(name, value)
  })
}

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..') {
    throw new UsageError(`${name} cannot be "${value}"`)
  }
  return encodeURIComponent(toText(name, value))
}

function toText(name: string, value: unknown): string {
  const text = String(value)
  // URLSearchParams replaces lone surrogates silently, so two IDs could become the same ID.
  if (!text.isWellFormed()) throw new UsageError(`${name} is not valid Unicode text`)
  return text
}

/** Encodes query parameters in their order. Undefined and null values are omitted; a list repeats its parameter. */
export function encodeQuery(query: Readonly<Record<string, unknown>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const item of Array.isArray(value) ? value : [value]) search.append(name, toText(name, item))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}

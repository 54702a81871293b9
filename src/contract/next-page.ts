/**
 * Reads the number of the next page (spec 4.5) from a number, a text of digits, or a URL with the page parameter. Returns null at the end
 * of the list (null, empty, or missing), and undefined for any other value, because the rest of the list cannot be read then. The client
 * never opens the URL.
 */
export function readNextPage(value: unknown, parameter = 'page'): number | null | undefined {
  if (value === null || value === undefined || value === '') return null
  const text = typeof value === 'string' ? (parameterOf(value, parameter) ?? value) : String(value)
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

function parameterOf(url: string, parameter: string): string | null {
  const [, query = ''] = url.split('?')
  return new URLSearchParams(query.split('#')[0]).get(parameter)
}

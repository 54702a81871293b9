import { quote } from '../base/text/shell-quote.ts'
import type { WireRequest } from './wire.ts'

/** The same request as a curl command that can be pasted into a shell; the credential is a variable, never its value. */
export function toCurl(request: WireRequest): string {
  const parts = ['curl', '--silent', '--show-error', '--request', request.method]
  for (const [name, value] of Object.entries(request.headers))
    parts.push('--header', headerArgument(name, value))
  if (request.body !== undefined) parts.push('--data-raw', quote(request.body))
  return [...parts, quote(request.origin + request.path)].join(' ')
}

function headerArgument(name: string, value: string): string {
  if (name === 'x-api-key') return '"x-api-key: $FACESCAN_API_KEY"'
  if (name === 'authorization') return '"authorization: Token $FACESCAN_ACTION_TOKEN"'
  return quote(`${name}: ${value}`)
}

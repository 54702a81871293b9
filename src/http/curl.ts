import { quote } from '../base/text/shell-quote.ts'
import { maskSecrets, secretsOf } from './redact.ts'
import type { WireRequest } from './wire.ts'

/** The request as a curl command for a shell, with the credential in a variable. */
export function toCurl(request: WireRequest): string {
  const secrets = secretsOf(request)
  const parts = ['curl', '--silent', '--show-error', '--request', request.method]
  for (const [name, value] of Object.entries(request.headers))
    parts.push('--header', headerArgument(name, value))
  if (request.body !== undefined) parts.push('--data-raw', quote(maskSecrets(request.body, secrets)))
  return [...parts, quote(maskSecrets(request.origin + request.path, secrets))].join(' ')
}

function headerArgument(name: string, value: string): string {
  if (name === 'x-api-key') return '"x-api-key: $FACESCAN_API_KEY"'
  if (name === 'authorization') return '"authorization: Token $FACESCAN_ACTION_TOKEN"'
  return quote(`${name}: ${value}`)
}

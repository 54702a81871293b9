import type { ErrorDetails, FacescanError, Hint, ServiceFlags } from '../base/errors.ts'
import { quote, quoteWord } from '../base/text.ts'

/** Suggested commands that accept an action token instead of a user. */
const takesToken: ReadonlySet<string> = new Set(['status', 'biomarkers list', 'recommendations'])

/** A command with the service and the credential of this command. `… |` stands for the pipe that contains the credential. */
export function followUp(words: string, { profile, keyFile, keyStdin, actionToken }: ServiceFlags): string {
  const token = takesToken.has(words) ? actionToken : undefined
  const same = { profile, 'key-file': keyFile, 'key-stdin': keyStdin, 'action-token': token }
  const flags = Object.entries(same).flatMap(([name, value]) =>
    typeof value === 'string' ? [`--${name} ${quoteWord(value)}`] : value ? [`--${name}`] : [],
  )
  const pipe = keyStdin || keyFile === '-' || token === '-' ? '… | ' : ''
  return `${pipe}${['facescan', words, ...flags].join(' ')}`
}

/** The hints of an error, or the usual next step if the error has no hints. */
export function hintsOf(error: FacescanError): readonly (string | Hint)[] {
  return [error.details.hint ?? suggest(error) ?? []].flat()
}

/** The hints of an error as text. Suggested commands contain the flags that select the service. Undefined if there are no hints. */
export function renderHints(error: FacescanError | undefined, flags?: ServiceFlags): string | undefined {
  if (error === undefined) return undefined
  const texts = hintsOf(error).map((hint) => renderHint(hint, flags ?? error.details.service ?? {}))
  return texts.length > 0 ? texts.join('\n') : undefined
}

function renderHint(hint: string | Hint, flags: ServiceFlags): string {
  if (typeof hint === 'string') return hint
  const command = followUp(hint.run.map(quoteWord).join(' '), flags)
  return `${hint.text}: ${hint.stdin === undefined ? '' : `echo ${quote(hint.stdin)} | `}${command}`
}

const checkService = ['doctor', '--network']

/** The next step after an error from the HTTP client. It is added here, because the client must not depend on the names of commands. */
function suggest({ code, details }: FacescanError): string | Hint | undefined {
  const { status, refused, request, missing, cause } = details
  if (refused) return suggestCredential(refused)
  if (request) {
    const run = ['api', request.method, request.path, ...(request.body === undefined ? [] : ['--body', '-'])]
    return { text: 'Show the raw response', run, stdin: request.body }
  }
  if (missing === 'address') return { text: 'Check the base URL', run: ['status'] }
  if (missing === 'user') return { text: 'Check the ID, or create the user', run: ['users', 'create'] }
  if (code === 'rate_limited') return 'Try again later.'
  if (code === 'server' && details.retryable)
    return { text: 'Try again later, or check the service', run: checkService }
  if (cause instanceof Error && 'code' in cause && cause.code === 'FACESCAN_TIMEOUT')
    return { text: 'Increase --timeout, or check the service', run: checkService }
  if (code === 'unauthenticated' && status === undefined)
    return 'Add a key: facescan profiles add ACME-DEV (or try the sandbox: facescan demo)'
  return undefined
}

function suggestCredential({ kind, source, expiredAt }: NonNullable<ErrorDetails['refused']>): string | Hint {
  if (expiredAt !== undefined)
    return `The action token from ${source} expired at ${expiredAt}. Create a new token: facescan token`
  const what = kind === 'key' ? 'API key' : 'action token'
  // Standard input was already read, so the suggested command would wait for new input.
  if (/^--key-stdin$| -$/.test(source))
    return `The ${what} came from standard input (${source}). Check the output of the command before the pipe.`
  return { text: `The ${what} came from ${source}. Check the ${what}`, run: ['status'] }
}

import { parseJson, toJsonText } from '../base/json.ts'
import { mask, maskForms, maskHeader, maskText } from '../base/mask.ts'
import { quote } from '../base/text.ts'
import { breakUrl } from '../output/text.ts'
import type { RecordView, Terminal } from '../output/view.ts'
import type { Step } from './chain.ts'
import { secretsOf, urlOf, type WireRequest, type WireResponse } from './wire.ts'

type WriteLine = (line: string) => void

const shownHeaders = ['content-type', 'date', 'retry-after', 'x-request-id', 'x-correlation-id']

/** Writes a trace of each request. The trace contains no credentials, IDs, or bodies. */
export function trace(write: WriteLine): Step {
  return async (call, next) => {
    const { request, attempt } = call
    write(`→ ${request.method} ${maskUrl(request)}${attempt > 1 ? ` (attempt ${attempt})` : ''}`)
    for (const [name, value] of Object.entries(maskHeaders(request.headers))) write(`  ${name}: ${value}`)
    if (request.body !== undefined) write(`  body: ${Buffer.byteLength(request.body)} bytes`)
    try {
      const response = await next(call)
      traceResponse(request, response, write)
      return response
    } catch (error) {
      write(`✕ ${(error as Error).message}`)
      throw error
    }
  }
}

function traceResponse(request: WireRequest, response: WireResponse, write: WriteLine): void {
  write(`← ${response.status}, ${response.body.length} bytes in ${Math.round(response.durationMs)} ms`)
  for (const name of shownHeaders) {
    const value = response.headers[name]
    if (value !== undefined) write(`  ${name}: ${maskText(value, secretsOf(request))}`)
  }
  if (response.cut) write(`  interrupted: ${response.cut.message}`)
}

/** Writes each request once as a curl command, even after retries. */
export function showCurl(write: WriteLine): Step {
  return (call, next) => {
    if (call.attempt === 1) write(toCurl(call.request))
    return next(call)
  }
}

/** The request as a curl command for a shell, with the credential in a variable. */
export function toCurl(request: WireRequest): string {
  const secrets = secretsOf(request)
  const parts = ['curl', '--silent', '--show-error', '--request', request.method]
  for (const [name, value] of Object.entries(request.headers))
    parts.push('--header', headerArgument(name, value))
  if (request.body !== undefined) parts.push('--data-raw', quote(maskForms(request.body, secrets)))
  return [...parts, quote(maskForms(request.origin + request.path, secrets))].join(' ')
}

function headerArgument(name: string, value: string): string {
  if (name === 'x-api-key') return '"x-api-key: $FACESCAN_API_KEY"'
  if (name === 'authorization') return '"authorization: Token $FACESCAN_ACTION_TOKEN"'
  return quote(`${name}: ${value}`)
}

export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[] = [],
): Record<string, string> {
  const masked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    masked[name] = maskHeader(name.toLowerCase(), value, secrets)
  return masked
}

/** The URL for a trace: the host, the path without IDs, and the query without values. */
export function maskUrl({ route, ...target }: Pick<WireRequest, 'origin' | 'path' | 'route'>): string {
  const url = urlOf(target)
  const shown = route
    .split('/')
    .slice(1)
    .map((part) => (part.startsWith('{') ? mask : part))
  const path = [...url.pathname.split('/').slice(0, -shown.length), ...shown].join('/')
  const names = [...url.searchParams.keys()].map((name) => `${name}=${mask}`)
  return `${url.origin}${path}${names.length === 0 ? '' : `?${names.join('&')}`}`
}

interface RequestPlan {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** The result of a dry run. It is thrown, so that `run` releases its locks and files. */
export class PlannedRequest extends Error {
  readonly plan: RequestPlan

  constructor(request: WireRequest) {
    super('dry run')
    this.plan = {
      method: request.method,
      url: request.origin + request.path,
      headers: maskHeaders(request.headers),
      body: request.body === undefined ? null : parseJson(request.body),
    }
  }
}

/**
 * Ends a dry run at the first request. If `sendsReads` is set, sends requests that only read, and ends at the first request that changes
 * data. Calls `curl` with the unsent request as a curl command.
 */
export function stopDryRun({
  sendsReads,
  curl,
}: {
  sendsReads: boolean
  curl?: ((command: string) => void) | undefined
}): Step {
  return async (call, next) => {
    if (sendsReads && call.endpoint.effect === 'read') return next(call)
    curl?.(toCurl(call.request))
    throw new PlannedRequest(call.request)
  }
}

export const plannedView = {
  columns: [
    { key: 'method', title: 'Method' },
    {
      key: 'url',
      title: 'URL',
      whole: true,
      cell: ({ url }: RequestPlan, { isTTY, width }: Terminal) =>
        isTTY ? breakUrl(url, width - 'Headers  '.length).join('\n') : url,
    },
    {
      key: 'headers',
      title: 'Headers',
      cell: ({ headers }: RequestPlan) =>
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
    },
    {
      key: 'body',
      title: 'Body',
      cell: ({ body }: RequestPlan) => (body === null ? 'none' : toJsonText(body, 2)),
    },
  ],
  before: () => 'Dry run: nothing was changed. This is the request that would be sent.',
} as const satisfies RecordView<RequestPlan>

import { parseJson, toJsonText } from '../base/json.ts'
import type { RecordView } from '../output/view.ts'
import type { Step } from './chain.ts'
import { maskHeaders, toCurl } from './trace.ts'
import type { WireRequest } from './wire.ts'

interface RequestPlan {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** The result of a dry run. This class is thrown instead of sending the request, so that `run` releases its locks and files. */
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
 * Ends a dry run at the first request. With `sendsReads`, requests that only read are sent, and the first other request ends the dry run.
 * `curl` receives the request that was not sent, as a curl command.
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
    { key: 'url', title: 'URL', wrap: true },
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

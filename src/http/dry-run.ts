import { parseJson, toJsonText } from '../base/json.ts'
import type { RecordView } from '../output/view.ts'
import { maskHeaders } from './trace.ts'
import type { WireRequest } from './wire.ts'

interface RequestPlan {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** The result of a dry run. It is thrown instead of sending the request, so that `run` releases its locks and files. */
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

import { parseJson, toJsonText } from '../base/json.ts'
import type { RecordView } from '../output/view.ts'
import { maskHeaders } from './redact.ts'
import type { WireRequest } from './wire.ts'

interface PlannedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: unknown
}

/** Thrown instead of sending the request of a dry run, and printed as the result. */
export class DryRunStop extends Error {
  readonly planned: PlannedRequest

  constructor(request: WireRequest) {
    super('dry run')
    this.planned = {
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
    { key: 'url', title: 'URL', whole: true },
    {
      key: 'headers',
      title: 'Headers',
      cell: ({ headers }: PlannedRequest) =>
        Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n'),
    },
    {
      key: 'body',
      title: 'Body',
      cell: ({ body }: PlannedRequest) => (body === null ? 'none' : toJsonText(body, 2)),
    },
  ],
  before: () => 'Dry run: nothing was changed. This is the request that would be sent.',
} as const satisfies RecordView<PlannedRequest>

import { Refusal } from './refusal.ts'

/** A request as plain data, because the service is called over HTTP and directly by the client of this process. */
export interface ServiceRequest {
  method: string
  url: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface ServiceReply {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array
}

/** Converts a request that arrived over HTTP. */
export function fromRequest(request: Request): ServiceRequest {
  const { method, url, headers } = request
  return { method, url, headers: Object.fromEntries(headers), body: readChunks(request) }
}

/** A caller that disconnects while it sends is not an error of the sandbox. */
async function* readChunks({ body }: Request): AsyncIterable<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new Refusal(400, 'the body is incomplete')
  }
}

export function toResponse({ status, headers, body }: ServiceReply): Response {
  // A response with status 204 must have no body, not even an empty one.
  return new Response(body.length === 0 ? null : (body as string), { status, headers })
}

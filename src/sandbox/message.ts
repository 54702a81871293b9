/** A request as plain data. It arrives over HTTP, or directly from the client in this process. */
export interface ServiceRequest {
  method: string
  url: string
  /** Header names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
}

export interface ServiceReply {
  status: number
  headers: Record<string, string>
  body: string | Uint8Array
}

export function fromRequest(request: Request): ServiceRequest {
  const { method, url, headers } = request
  return { method, url, headers: Object.fromEntries(headers), body: readChunks(request) }
}

/** Yields the body. Throws a 400 if the client disconnects before the end of the body, because this is not an internal error. */
async function* readChunks({ body }: Request): AsyncIterable<Uint8Array> {
  try {
    yield* body ?? []
  } catch {
    throw new Refusal(400, 'the body is incomplete')
  }
}

export function toResponse({ status, headers, body }: ServiceReply): Response {
  // Node throws if a response with status 204 has a body, even an empty body. An empty body is therefore replaced with null.
  return new Response(body.length === 0 ? null : (body as string), { status, headers })
}

/** One item of a 422 body (spec 7). */
export interface Problem {
  loc: (string | number)[]
  msg: string
  type: string
}

/** A 4xx response that any code of the sandbox can throw. */
export class Refusal extends Error {
  readonly status: number
  readonly detail: string | Problem[]

  constructor(status: number, detail: string | Problem[]) {
    super(typeof detail === 'string' ? detail : 'invalid body')
    this.name = 'Refusal'
    this.status = status
    this.detail = detail
  }
}

export function problem(loc: (string | number)[], msg: string, type = 'value_error'): Problem {
  return { loc, msg, type }
}

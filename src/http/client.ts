import { FacescanError, UsageError } from '../base/errors.ts'
import {
  type CallInput,
  type CallOutput,
  type Endpoint,
  isEndpoint,
  type Method,
} from '../contract/endpoint.ts'
import { type Contract, contract, findRoute } from '../contract/index.ts'
import type { Call, Send } from './chain.ts'
import { type AnyInput, buildRequest, type HttpCredential } from './request.ts'
import type { WireResponse } from './wire.ts'

interface RawRequest {
  method: Method
  /** Path that starts with a slash and has no query. */
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

interface ServiceAccess {
  baseUrl: URL
  credential: HttpCredential | undefined
  userAgent: string
}

export interface ClientOptions extends ServiceAccess {
  /** Sends a call through all steps (see `Step`). One of the steps retries failed requests. */
  call: Send
  attempt: Send
}

type Calls<Node> = Node extends Endpoint
  ? Record<never, never> extends CallInput<Node>
    ? (input?: CallInput<Node>) => Promise<CallOutput<Node>>
    : (input: CallInput<Node>) => Promise<CallOutput<Node>>
  : { [K in keyof Node]: Calls<Node[K]> }

/** The typed client: `api.users.create({ body })` for each endpoint of the contract. */
export type Api = Calls<Contract> & {
  attempt: SendOnce
  /** Sends a call as the typed functions do, and returns the response with its status. */
  respond: (endpoint: Endpoint, input: AnyInput) => Promise<WireResponse>
  /** Sends a request to any path, even if the contract does not contain the path. The same safety rules apply as for all other calls. */
  raw(request: RawRequest): Promise<unknown>
  /** Returns a client that sends an action token instead of the credential of this client. */
  withToken(token: string): Api
  readonly contract: Contract
  readonly credentialKind: HttpCredential['kind'] | undefined
}

/**
 * Sends a call once and returns error statuses as responses. Throws NetworkError if no status line arrives. The outcome is not written to
 * the audit log, so send a change in this way only during a run that the user has confirmed.
 */
export type SendOnce = (
  endpoint: Endpoint,
  input: AnyInput,
  options?: Pick<Call, 'timeoutMs' | 'isAlone'>,
) => Promise<WireResponse>

export function createApi(options: ClientOptions): Api {
  const respond = callThrough(options, options.call)
  const send = async (endpoint: Endpoint, input: AnyInput = {}): Promise<unknown> =>
    (await respond(endpoint, input)).content?.value
  return {
    ...bind(contract, send),
    attempt: callThrough(options, options.attempt),
    respond,
    raw: async (request: RawRequest) => {
      const { endpoint, input } = rawCall(request)
      return send(endpoint, input)
    },
    withToken: (token: string) =>
      createApi({
        ...options,
        credential: { kind: 'token', value: token, source: 'this command' },
      }),
    contract,
    credentialKind: options.credential?.kind,
  } as Api
}

/** Creates a function that passes each call to `send`. It rejects if the endpoint does not accept the credential. */
export function callThrough({ baseUrl, credential, userAgent }: ServiceAccess, send: Send): SendOnce {
  return async (endpoint, input, { timeoutMs, isAlone } = {}) => {
    if (endpoint.credentials.length > 0) {
      if (credential === undefined) throw new FacescanError('unauthenticated', 'no API key is configured')
      if (!endpoint.credentials.includes(credential.kind)) throw wrongCredential(endpoint, credential.kind)
    }
    const request = buildRequest(endpoint, input, baseUrl, credential, userAgent)
    return send({ endpoint, input, request, credential, attempt: 1, timeoutMs, isAlone })
  }
}

function wrongCredential(endpoint: Endpoint, kind: 'key' | 'token'): UsageError {
  const [has, needs] = kind === 'token' ? ['action token', 'API key'] : ['API key', 'action token']
  return new UsageError(`${endpoint.method} ${endpoint.path} needs an ${needs}, not an ${has}`)
}

function bind(node: object, call: (endpoint: Endpoint, input?: AnyInput) => unknown): object {
  return Object.fromEntries(
    Object.entries(node).map(([name, child]) => [
      name,
      isEndpoint(child) ? (input?: AnyInput) => call(child, input) : bind(child, call),
    ]),
  )
}

/** Finds the endpoint for a method and a path, and creates the input of the call. */
function rawCall({ method, path, query, body }: RawRequest): { endpoint: Endpoint; input: AnyInput } {
  const found = findRoute(method, path)?.endpoint
  const endpoint = { ...(found ?? unknownEndpoint(method)), path } as Endpoint
  // Each part of an unknown path can be an ID, so traces show `{unknown}` instead of each part.
  const route = found?.path ?? path.replace(/[^/]+/g, '{unknown}')
  return { endpoint, input: { ...(query && { query }), body, route } }
}

/** Describes an endpoint that is not in the contract. Its retry class and effect follow from the HTTP method. */
function unknownEndpoint(method: Method): Omit<Endpoint, 'path'> {
  const isRead = method === 'GET'
  const effect = isRead ? 'read' : method === 'DELETE' ? 'destroy' : 'change'
  const shared = {
    summary: `Send a raw ${method} request`,
    section: '',
    credentials: ['key', 'token'],
    replies: {},
  } as const
  return { ...shared, method, effect, retry: isRead ? 'read' : 'once' }
}

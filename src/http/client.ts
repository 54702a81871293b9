import { ServiceError } from '../base/errors.ts'
import { quote, quoteWord } from '../base/text/shell-quote.ts'
import {
  type CallInput,
  type CallOutput,
  type Endpoint,
  type EndpointDefinition,
  isEndpoint,
  type Method,
} from '../contract/endpoint.ts'
import { type Contract, contract, findRoute } from '../contract/index.ts'
import { checkReply, isList } from '../contract/lenient.ts'
import { attemptOnce, type ExchangeOptions, exchange, prepare } from './exchange.ts'
import { alreadyDone, isRepeatable } from './explain-failure.ts'
import { readReply, requestIdOf } from './reply.ts'
import type { AnyInput, HttpCredential } from './request.ts'
import type { WireReply, WireRequest } from './wire.ts'

export interface ClientOptions extends ExchangeOptions {
  mismatch(endpoint: Endpoint, problems: string[]): void
}

type Calls<Node> = Node extends EndpointDefinition
  ? Record<never, never> extends CallInput<Node>
    ? (input?: CallInput<Node>) => Promise<CallOutput<Node>>
    : (input: CallInput<Node>) => Promise<CallOutput<Node>>
  : { [K in keyof Node]: Calls<Node[K]> }

/** The typed client: `api.users.create({ body })` for each endpoint of the contract. */
export type Api = Calls<Contract> & {
  /** Sends a call once, without retries and without errors for statuses. Throws NetworkError if no status line arrives. */
  attempt(endpoint: Endpoint, input: AnyInput, options?: { timeoutMs?: number }): Promise<WireReply>
  /** Sends a call by method and path, with the same safety rules. The path need not be in the contract. */
  raw(request: RawRequest): Promise<unknown>
  /** The same client with an action token as its credential. */
  withToken(token: string): Api
  readonly contract: Contract
  readonly credentialKind: HttpCredential['kind'] | undefined
}

interface RawRequest {
  method: Method
  /** Starts with a slash and has no query. */
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

export function createApi(options: ClientOptions): Api {
  const call = async (endpoint: Endpoint, input: AnyInput = {}): Promise<unknown> => {
    const { request, reply } = await exchange(endpoint, input, options)
    const value = readReply(endpoint, request, reply)
    return checkShape(endpoint, { request, reply, value }, options)
  }
  return {
    ...bind(contract, call),
    attempt: async (endpoint: Endpoint, input: AnyInput, overrides = {}) => {
      const request = prepare(endpoint, input, options)
      await options.before(endpoint, request)
      return attemptOnce({ endpoint, request, options: { ...options, ...overrides } }, 1)
    },
    raw: async ({ method, path, query, body }: RawRequest) => {
      const found = findRoute(method, path)?.endpoint
      const endpoint = { ...(found ?? unknownEndpoint(method)), path } as Endpoint
      // Any part of an unknown path may be an ID.
      const route = found?.path ?? path.replace(/[^/]+/g, '{unknown}')
      const { request, reply } = await exchange(endpoint, { query, body, route }, options)
      return readReply(endpoint, request, reply)
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

/** The retry class and effect of a path that is not in the contract follow from its method. */
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

function bind(node: object, call: (endpoint: Endpoint, input?: AnyInput) => unknown): object {
  return Object.fromEntries(
    Object.entries(node).map(([name, child]) => [
      name,
      isEndpoint(child) ? (input?: AnyInput) => call(child, input) : bind(child, call),
    ]),
  )
}

interface Exchanged {
  request: WireRequest
  reply: WireReply
  value: unknown
}

/** Returns the value of a reply with the expected shape. Some services return 204 for a user without data in a list. */
function checkShape(endpoint: Endpoint, exchanged: Exchanged, options: ClientOptions): unknown {
  const { reply, value } = exchanged
  const [usual = reply.status] = Object.keys(endpoint.replies).map(Number)
  const schema = endpoint.replies[reply.status in endpoint.replies ? reply.status : usual]
  if (schema === undefined || schema === 'png') return value
  if (schema === null) {
    if (value !== null) options.mismatch(endpoint, [`expected no body with status ${reply.status}`])
    return value
  }
  // The list of all lookup keys is never empty, so a service that returns 204 for it does not work.
  if (reply.status === 204 && isList(schema) && endpoint.user && endpoint.effect === 'read') {
    options.mismatch(endpoint, ['expected a list, received status 204 without a body'])
    return []
  }
  const { problems, isUsable } = checkReply(schema, value)
  if (!isUsable) throw unusable(endpoint, exchanged, problems, options.baseUrl)
  if (problems.length > 0) options.mismatch(endpoint, problems)
  return value
}

/** The reply cannot be shown, not even as a table with gaps. */
function unusable(
  endpoint: Endpoint,
  { request, reply }: Exchanged,
  problems: string[],
  baseUrl: URL,
): ServiceError {
  const { method, path } = endpoint
  return new ServiceError(
    'server',
    `invalid response from ${method} ${path}: ${problems.slice(0, 3).join('; ')}`,
    {
      status: reply.status,
      requestId: requestIdOf(reply),
      hint: isRepeatable(endpoint) ? `Show the raw response: ${toRawCall(request, baseUrl)}` : alreadyDone,
    },
  )
}

function toRawCall({ method, path, body }: WireRequest, baseUrl: URL): string {
  const target = quoteWord(path.slice(baseUrl.pathname.replace(/\/+$/, '').length))
  if (body === undefined) return `facescan api ${method} ${target}`
  return `echo ${quote(body)} | facescan api ${method} ${target} --body -`
}

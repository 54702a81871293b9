import {
  type CallInput,
  type CallOutput,
  type Endpoint,
  type EndpointDefinition,
  isEndpoint,
  type Method,
} from '../contract/endpoint.ts'
import { type Contract, contract, findRoute } from '../contract/index.ts'
import { type Exchanged, readChecked, readRaw } from './body-check.ts'
import { attemptOnce, type ExchangeOptions, exchange, prepare } from './exchange.ts'
import type { AnyInput, HttpCredential } from './request.ts'
import type { WireReply } from './wire.ts'

export interface ClientOptions extends ExchangeOptions {
  mismatch(endpoint: Endpoint, problems: string[], isClear: boolean): void
}

type Calls<Node> = Node extends EndpointDefinition
  ? Record<never, never> extends CallInput<Node>
    ? (input?: CallInput<Node>) => Promise<CallOutput<Node>>
    : (input: CallInput<Node>) => Promise<CallOutput<Node>>
  : { [K in keyof Node]: Calls<Node[K]> }

/** The typed client: `api.users.create({ body })` for each endpoint of the contract. */
export type Api = Calls<Contract> & {
  /**
   * Sends a call once, without retries and without errors for statuses. Throws NetworkError if no status line arrives. A
   * change must belong to a confirmed run, because a single attempt has no outcome in the audit log.
   */
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
    const read = (exchanged: Exchanged) => readChecked(exchanged, options.baseUrl)
    const { value, problems, isClear = false } = await exchange(endpoint, input, options, read)
    if (problems.length > 0) options.mismatch(endpoint, problems, isClear)
    return value
  }
  return {
    ...bind(contract, call),
    attempt: async (endpoint: Endpoint, input: AnyInput, overrides = {}) => {
      const request = prepare(endpoint, input, options)
      await options.before(endpoint, request, 'single attempt')
      return attemptOnce({ endpoint, request, options: { ...options, ...overrides } }, 1)
    },
    raw: async ({ method, path, query, body }: RawRequest) => {
      const found = findRoute(method, path)?.endpoint
      const endpoint = { ...(found ?? unknownEndpoint(method)), path } as Endpoint
      // Any part of an unknown path may be an ID.
      const route = found?.path ?? path.replace(/[^/]+/g, '{unknown}')
      return (await exchange(endpoint, { query, body, route }, options, readRaw)).value
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

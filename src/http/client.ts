import { ServiceError } from '../base/errors.ts'
import { checkReply } from '../contract/check-reply.ts'
import {
  type CallInput,
  type CallOutput,
  type Endpoint,
  type EndpointDefinition,
  isEndpoint,
  type Method,
} from '../contract/endpoint.ts'
import { findEndpoint } from '../contract/find-endpoint.ts'
import { type Contract, contract } from '../contract/index.ts'
import {
  type AttemptOptions,
  alreadyDone,
  attemptOnce,
  type ExchangeOptions,
  exchange,
  isRepeatable,
  prepare,
} from './exchange.ts'
import { readReply, requestIdOf } from './reply.ts'
import type { AnyInput, HttpCredential } from './request.ts'
import type { WireReply } from './wire.ts'

export interface ClientOptions extends ExchangeOptions {
  /** Told about a reply whose shape the contract does not know. */
  mismatch(endpoint: Endpoint, problems: string[]): void
}

type Calls<Node> = Node extends EndpointDefinition
  ? Record<never, never> extends CallInput<Node>
    ? (input?: CallInput<Node>) => Promise<CallOutput<Node>>
    : (input: CallInput<Node>) => Promise<CallOutput<Node>>
  : { [K in keyof Node]: Calls<Node[K]> }

/** The typed client: `api.users.create({ body })` for each endpoint of the contract. */
export type Api = Calls<Contract> & {
  /** One attempt of a call: no retry, no status mapping; throws NetworkError where no status line arrived. */
  attempt(endpoint: Endpoint, input: AnyInput, options?: AttemptOptions): Promise<WireReply>
  /** A call by method and path, with the same safety as any other; paths the contract does not know are allowed. */
  raw(request: RawRequest): Promise<unknown>
  /** The same client acting with an action token. */
  withToken(token: string): Api
  readonly contract: Contract
  readonly credentialKind: HttpCredential['kind'] | undefined
}

interface RawRequest {
  method: Method
  /** Begins with a slash; without a query. */
  path: string
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

export function createApi(options: ClientOptions): Api {
  const call = async (endpoint: Endpoint, input: AnyInput = {}): Promise<unknown> => {
    const { request, reply } = await exchange(endpoint, input, options)
    const value = readReply(endpoint, request, reply)
    checkShape(endpoint, reply, value, options)
    return value
  }
  return {
    ...bind(contract, call),
    attempt: (endpoint: Endpoint, input: AnyInput, attempt: AttemptOptions = {}) => {
      const request = prepare(endpoint, input, options)
      const send = () => attemptOnce(endpoint, request, options, 1, attempt)
      const asked = options.before(endpoint, request)
      return asked ? asked.then(send) : send()
    },
    raw: async ({ method, path, query, body }: RawRequest) => {
      const found = findEndpoint(method, path)
      const endpoint = { ...(found ?? unknownEndpoint(method)), path } as Endpoint
      // Of a path that the contract does not know, any part may be an id.
      const route = found?.path ?? path.replace(/[^/]+/g, '{unknown}')
      const { request, reply } = await exchange(endpoint, { query, body, route }, options)
      return readReply(endpoint, request, reply)
    },
    withToken: (token: string) =>
      createApi({
        ...options,
        credential: { kind: 'token', value: token, source: 'an action token made for this command' },
      }),
    contract,
    credentialKind: options.credential?.kind,
  } as Api
}

/** What the contract does not know is handled with the care that its method asks for. */
function unknownEndpoint(method: Method): Omit<Endpoint, 'path'> {
  const careful = {
    GET: ['read', 'read'],
    PUT: ['once', 'change'],
    POST: ['once', 'change'],
    DELETE: ['once', 'destroy'],
  } as const
  const [retry, effect] = careful[method]
  return {
    method,
    summary: 'Make a raw call',
    section: '',
    credentials: ['key', 'token'],
    replies: {},
    retry,
    effect,
  }
}

function bind(node: object, call: (endpoint: Endpoint, input?: AnyInput) => unknown): object {
  return Object.fromEntries(
    Object.entries(node).map(([name, child]) => [
      name,
      isEndpoint(child) ? (input?: AnyInput) => call(child, input) : bind(child, call),
    ]),
  )
}

function checkShape(endpoint: Endpoint, reply: WireReply, value: unknown, options: ClientOptions): void {
  const [usual] = Object.keys(endpoint.replies).map(Number)
  const status = reply.status in endpoint.replies ? reply.status : (usual ?? reply.status)
  const schema = endpoint.replies[status]
  if (schema === undefined || schema === 'png') return
  if (schema === null) {
    if (value !== null) options.mismatch(endpoint, [`status ${reply.status} came with a body`])
    return
  }
  const { problems, isUsable } = checkReply(schema, value)
  if (!isUsable) throw unusable(endpoint, reply, problems)
  if (problems.length > 0) options.mismatch(endpoint, problems)
}

/** Nothing can be made of it, not even a table with gaps. */
function unusable(endpoint: Endpoint, reply: WireReply, problems: string[]): ServiceError {
  const { method, path } = endpoint
  return new ServiceError(
    'server',
    `the service answered a shape that cannot be used (${method} ${path}): ${problems.slice(0, 3).join('; ')}`,
    {
      status: reply.status,
      requestId: requestIdOf(reply),
      hint: isRepeatable(endpoint)
        ? `See the reply as it is with: facescan api ${method} ${path}`
        : alreadyDone,
    },
  )
}

import type { CallInput, CallOutput, Endpoint, Method } from '../contract/endpoint.ts'
import { type Contract, contract, findEndpoint, isEndpoint } from '../contract/index.ts'
import { FacescanError, NetworkError, UsageError } from '../errors.ts'
import type { Clock } from '../io.ts'
import { errorOf, readReply } from './reply.ts'
import { type AnyInput, buildRequest, type HttpCredential } from './request.ts'
import { decideRetry, type Outcome, parseRetryAfter } from './retry.ts'
import { send } from './send.ts'
import type { Dispatcher, Observer, WireReply, WireRequest } from './wire.ts'

export interface ClientOptions {
  baseUrl: URL
  credential: HttpCredential | undefined
  dispatcher: Dispatcher
  clock: Clock
  random(): number
  signal: AbortSignal
  userAgent: string
  /** For one attempt. */
  timeoutMs: number
  retries: number
  maxWaitMs: number
  observer: Observer
  /** Asked before anything is sent; throws to stop (dry run, production guard). */
  before(endpoint: Endpoint, request: WireRequest): Promise<void>
  /** Told about each attempt when it is over; `reply` is undefined where no answer came. */
  after(endpoint: Endpoint, reply: WireReply | undefined): Promise<void>
  /** Told about a reply whose shape the contract does not know. */
  mismatch(endpoint: Endpoint, problems: string[]): void
}

type Calls<Node> = Node extends Endpoint
  ? Record<never, never> extends CallInput<Node>
    ? (input?: CallInput<Node>) => Promise<CallOutput<Node>>
    : (input: CallInput<Node>) => Promise<CallOutput<Node>>
  : { [K in keyof Node]: Calls<Node[K]> }

/** How one attempt is made outside the usual retries: the bulk importer decides for itself. */
export interface AttemptOptions {
  timeoutMs?: number
  signal?: AbortSignal
}

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

export interface RawRequest {
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
    checkShape(endpoint, reply.status, value, options)
    return value
  }
  return {
    ...bind(contract, call),
    attempt: async (endpoint: Endpoint, input: AnyInput, attempt: AttemptOptions = {}) => {
      const request = prepare(endpoint, input, options)
      await options.before(endpoint, request)
      return attemptOnce(endpoint, request, options, 1, attempt)
    },
    raw: async ({ method, path, query, body }: RawRequest) => {
      const endpoint = { ...(findEndpoint(method, path) ?? unknownEndpoint(method)), path } as Endpoint
      const { request, reply } = await exchange(endpoint, { query, body }, options)
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

function prepare(endpoint: Endpoint, input: AnyInput, options: ClientOptions): WireRequest {
  const kind = options.credential?.kind
  if (endpoint.credentials.length > 0) {
    if (kind === undefined) throw missingCredential()
    if (!endpoint.credentials.includes(kind)) throw wrongCredential(endpoint, kind)
  }
  return buildRequest(endpoint, input, options.baseUrl, options.credential, options.userAgent)
}

function missingCredential(): FacescanError {
  return new FacescanError('unauthenticated', 'no API key is configured', {
    hint: 'Add one with: facescan profiles add NAME (or try the sandbox: facescan demo)',
  })
}

function wrongCredential(endpoint: Endpoint, kind: 'key' | 'token'): UsageError {
  const [has, needs] = kind === 'token' ? ['action token', 'API key'] : ['API key', 'action token']
  return new UsageError(`${endpoint.method} ${endpoint.path} takes an ${needs}, not an ${has}`)
}

async function exchange(
  endpoint: Endpoint,
  input: AnyInput,
  options: ClientOptions,
): Promise<{ request: WireRequest; reply: WireReply }> {
  const request = prepare(endpoint, input, options)
  await options.before(endpoint, request)
  const policy = { retries: options.retries, maxWaitMs: options.maxWaitMs }
  for (let attempt = 1; ; attempt++) {
    const result = await attemptOnce(endpoint, request, options, attempt).catch((error: unknown) =>
      asNetworkError(error),
    )
    const failure = result instanceof NetworkError ? result : errorOf(request, result, options.clock.now())
    if (failure === undefined) return { request, reply: result as WireReply }
    const decision = decideRetry(
      endpoint.retry,
      attempt,
      outcomeOf(result, options.clock.now()),
      policy,
      options.random(),
    )
    if (!decision.retry) {
      if (attempt > 1 && alreadyDone(endpoint, result))
        return { request, reply: { ...result, status: 204, body: new Uint8Array() } }
      throw namingSource(failure, options.credential)
    }
    options.observer.wait?.(decision.delayMs, decision.reason)
    await options.clock.sleep(decision.delayMs, options.signal)
  }
}

/** A deletion that answers 404 after a retry was done by the attempt before it. */
function alreadyDone(endpoint: Endpoint, result: WireReply | NetworkError): result is WireReply {
  return endpoint.effect === 'destroy' && 'status' in result && result.status === 404
}

function asNetworkError(error: unknown): NetworkError {
  if (error instanceof NetworkError) return error
  throw error
}

function outcomeOf(result: WireReply | NetworkError, now: number): Outcome {
  if (result instanceof NetworkError) return { notSent: result.notSent }
  return { status: result.status, retryAfterMs: parseRetryAfter(result.headers['retry-after'], now) }
}

async function attemptOnce(
  endpoint: Endpoint,
  request: WireRequest,
  options: ClientOptions,
  attempt: number,
  overrides: AttemptOptions = {},
): Promise<WireReply> {
  options.observer.request?.(request, attempt)
  try {
    const reply = await send(request, {
      dispatcher: options.dispatcher,
      timeoutMs: overrides.timeoutMs ?? options.timeoutMs,
      signal: overrides.signal ?? options.signal,
    })
    options.observer.reply?.(request, reply)
    await options.after(endpoint, reply)
    return reply
  } catch (error) {
    if (error instanceof Error) options.observer.failure?.(request, error)
    if (!(error instanceof NetworkError && error.notSent)) await options.after(endpoint, undefined)
    throw error
  }
}

/** A refused credential is only useful to a person who learns where it came from. */
function namingSource(failure: Error, credential: HttpCredential | undefined): Error {
  if (!(failure instanceof FacescanError) || credential === undefined) return failure
  if (failure.code !== 'unauthenticated' && failure.code !== 'forbidden') return failure
  const what = credential.kind === 'key' ? 'API key' : 'action token'
  const hint = `The ${what} came from ${credential.source}. Check it with: facescan status`
  return new FacescanError(failure.code, failure.message, { ...failure.details, hint })
}

function checkShape(endpoint: Endpoint, status: number, value: unknown, options: ClientOptions): void {
  const schema = endpoint.replies[status]
  if (schema === undefined || schema === 'png') return
  if (schema === null) {
    if (value !== null) options.mismatch(endpoint, [`status ${status} came with a body`])
    return
  }
  const result = schema.safeParse(value)
  if (result.success) return
  options.mismatch(
    endpoint,
    result.error.issues.map((issue) => `${issue.path.join('.') || 'reply'}: ${issue.message}`),
  )
}

import { close, head, reply, type Script, type Step, send } from '../../helpers/hostile-server.ts'

export interface Fault {
  name: string
  /** The server performs this script for each attempt. The script can use the number of the request. */
  script: Script
  /** The steps that the server performs on each new connection, before it reads a request. */
  greeting?: readonly Step[]
  /** Expected number of requests by retry class, with at most three attempts. */
  sent: readonly [read: number, repeatable: number, once: number]
  /** The expected error message, or `data` (success), or `warning` (success with a warning). */
  sees: string | RegExp
  exitCode?: number
  /** The expected error message for the retry class `once`, if it differs from `sees`. */
  once?: { sees: string | RegExp; exitCode?: number }
  /** The expected error message for a call that changes data, if it differs from `sees`. */
  change?: { sees: string | RegExp; exitCode?: number }
  /** Expected delays between the attempts of a GET request, in ms. */
  waits?: readonly number[]
  timeoutMs?: number
}

export const user = {
  user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  customer: 'Acme',
  sex: 'F',
}
export const json = JSON.stringify(user)
export const success = (method: string) => (method === 'POST' ? 201 : 200)

/** A script that responds with the success status of the call and this body. */
export function body(bytes: string | Buffer, headers: Record<string, string> = {}): Script {
  const content = Buffer.from(bytes)
  const all = { 'content-type': 'application/json', 'content-length': String(content.length), ...headers }
  return ({ method }) => [send(head(success(method), all)), send(content)]
}

export const fine = body(json)
export const raw =
  (text: string): Script =>
  () => [send(text), close()]
export const status =
  (code: number, content: unknown = { detail: 'so it is' }, headers = {}): Script =>
  () =>
    reply(code, content, headers)
export const first =
  (fault: Script, then: Script): Script =>
  (request) =>
    request.index === 0 ? fault(request) : then(request)

export const always = [3, 3, 3] as const
export const repeated = [3, 3, 1] as const
export const single = [1, 1, 1] as const
export const maybeDone = 'The change may have been applied'

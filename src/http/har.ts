import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { UsageError } from '../base/errors.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import { systemCode, systemReason } from '../base/system/system-code.ts'
import { writeAll } from '../base/system/write-all.ts'
import { countOf } from '../base/text/count.ts'
import { version } from '../base/version.ts'
import { maskAll, maskHeaders, maskText, maskValue, secretsOf } from './redact.ts'
import type { Attempt, Observer, WireReply, WireRequest } from './wire.ts'

/** The text before and after the entries of an HTTP Archive 1.2. */
const frame = {
  start: `{"log":{"version":"1.2","creator":{"name":"facescan","version":"${version}"},"entries":[`,
  end: ']}}\n',
}

interface HarFile {
  add(entry: object): void
  close(): void
}

/**
 * Opens an archive that only its owner can read. The file is a valid archive after each entry. Symbolic links are not
 * followed, because another user may have created the link. `warn` is called once if the disk is full.
 */
export function openHarFile(path: string, warn: (text: string) => void): HarFile {
  const file = open(path)
  let length = 0
  let entries = 0
  let isFull = false
  /** Writes a text and the end of the archive over its previous end. */
  const append = (text: string) => {
    const bytes = Buffer.from(text + frame.end)
    writeAll(file, bytes, length)
    length += Buffer.byteLength(text)
  }
  const restoreEnd = () => {
    try {
      append('')
      ftruncateSync(file, length + frame.end.length)
    } catch {
      // The end was there before, so the disk has space for it. Other errors cannot be repaired.
    }
  }
  const add = (entry: object) => {
    if (isFull) return
    try {
      append(`${entries === 0 ? '\n' : ',\n'}${JSON.stringify(entry)}`)
      entries++
    } catch (error) {
      isFull = true
      warn(`${path} contains only the first ${countOf(entries, 'request')}: ${systemReason(error)}`)
      restoreEnd()
    }
  }
  try {
    append(frame.start)
  } catch (error) {
    closeSync(file)
    throw unwritable(path, error)
  }
  return { add, close: () => closeSync(file) }
}

function open(path: string): number {
  // Opening a named pipe would block until a reader opens it, and Ctrl-C would not work.
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  let file: number | undefined
  try {
    file = openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
    if (!fstatSync(file).isFile()) throw Object.assign(new Error(), { code: 'not a regular file' })
    fchmodSync(file, 0o600)
    ftruncateSync(file, 0)
    return file
  } catch (error) {
    if (file !== undefined) closeSync(file)
    throw unwritable(path, error)
  }
}

function unwritable(path: string, error: unknown): UsageError {
  const what = systemCode(error) === 'ELOOP' ? 'it is a symbolic link' : systemReason(error)
  return new UsageError(`--har: cannot write ${path} (${what})`)
}

/** Records each attempt for an HTTP Archive. Credentials are masked in requests and replies; IDs and health data are not. */
export function harObserver(add: HarFile['add'], now: () => number): Observer {
  // A token in a reply is the credential of later requests, and any later reply may repeat it.
  const secrets = new Set<string>()
  type Describe = (secrets: readonly string[]) => object
  const record = (
    request: WireRequest,
    { number, startedAt }: Attempt,
    durationMs: number,
    describe: Describe,
  ) => {
    const time = Math.max(0, durationMs)
    add({
      startedDateTime: new Date(startedAt).toISOString(),
      time,
      request: describeRequest(request, [...secrets]),
      response: describe([...secrets]),
      cache: {},
      timings: { send: 0, wait: time, receive: 0 },
      comment: `attempt ${number}`,
    })
  }
  return {
    // At the start, because the reply to another request can repeat the secrets of a request in flight.
    request(request) {
      for (const secret of secretsOf(request)) secrets.add(secret)
    },
    reply: (request, reply, attempt) =>
      record(request, attempt, reply.durationMs, (known) => describeReply(request, reply, known)),
    failure: (request, { message }, attempt) =>
      record(request, attempt, now() - attempt.startedAt, (known) => noReply(maskText(message, known))),
  }
}

function describeRequest(request: WireRequest, secrets: readonly string[]): object {
  const url = maskText(request.origin + request.path, secrets)
  return {
    method: request.method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: toPairs(maskHeaders(request.headers, secrets)),
    queryString: [...new URL(url).searchParams].map(([name, value]) => ({ name, value })),
    ...(request.body !== undefined && {
      postData: { mimeType: 'application/json', text: maskBody(request.body, secrets) },
    }),
    headersSize: -1,
    bodySize: Buffer.byteLength(request.body ?? ''),
  }
}

function describeReply(request: WireRequest, reply: WireReply, secrets: readonly string[]): object {
  return {
    ...emptyReply,
    status: reply.status,
    headers: toPairs(maskHeaders(reply.headers, secrets)),
    content: describeContent(request, reply, secrets),
    redirectURL: maskText(reply.headers['location'] ?? '', secrets),
    ...(reply.cut && { comment: `interrupted: ${maskText(reply.cut.message, secrets)}` }),
  }
}

const emptyReply = {
  statusText: '',
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: [],
  content: { size: 0, mimeType: '' },
  redirectURL: '',
  headersSize: -1,
  bodySize: -1,
}

/** In an archive, status 0 means that no reply arrived. */
function noReply(comment: string): object {
  return { ...emptyReply, status: 0, comment }
}

function describeContent(request: WireRequest, reply: WireReply, secrets: readonly string[]): object {
  const mimeType = reply.headers['content-type'] ?? ''
  const content = { size: reply.body.length, mimeType }
  const bytes = Buffer.from(reply.body)
  // Compressed parts of an image cannot be searched for a credential.
  if (mimeType.startsWith('image/')) return { ...content, comment: 'image omitted' }
  const isSecret = request.secretReply === true && reply.status < 400
  if (reply.cut && (isSecret || reply.headers['content-encoding'])) return content
  return { ...content, text: maskBody(bytes.toString('utf8'), secrets, isSecret) }
}

function maskBody(text: string, secrets: readonly string[], isSecret = false): string {
  try {
    const value = parseJson(text)
    return toJsonText(isSecret ? maskAll(value, secrets) : maskValue(value, secrets))
  } catch {
    return isSecret ? '' : maskText(text, secrets)
  }
}

function toPairs(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

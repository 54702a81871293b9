import { toCurl } from './curl.ts'
import { maskHeaders, maskText, maskUrl, secretsOf } from './redact.ts'
import type { Observer } from './wire.ts'

type WriteLine = (line: string) => void

const shownHeaders = ['content-type', 'date', 'retry-after', 'x-request-id', 'x-correlation-id']

/** A trace for people, without credentials, IDs and bodies. */
export function traceObserver(write: WriteLine): Observer {
  return {
    request(request, attempt) {
      write(`→ ${request.method} ${maskUrl(request)}${attempt > 1 ? ` (attempt ${attempt})` : ''}`)
      for (const [name, value] of Object.entries(maskHeaders(request.headers))) write(`  ${name}: ${value}`)
      if (request.body !== undefined) write(`  body: ${Buffer.byteLength(request.body)} bytes`)
    },
    reply(request, reply) {
      write(`← ${reply.status}, ${reply.body.length} bytes in ${Math.round(reply.durationMs)} ms`)
      for (const name of shownHeaders) {
        const value = reply.headers[name]
        if (value !== undefined) write(`  ${name}: ${maskText(value, secretsOf(request))}`)
      }
      if (reply.cut) write(`  interrupted: ${reply.cut.message}`)
    },
    failure: (_, error) => write(`✕ ${error.message}`),
    wait: (delayMs, reason) => write(`… retry in ${Math.round(delayMs)} ms: ${reason}`),
  }
}

/** Writes each request once, even if it is retried. */
export function curlObserver(write: WriteLine): Observer {
  return {
    request: (request, attempt) => {
      if (attempt === 1) write(toCurl(request))
    },
  }
}

export function combine(observers: readonly Observer[]): Observer {
  const notify = (call: (each: Observer) => void) => {
    for (const each of observers) call(each)
  }
  return {
    request: (request, attempt) => notify((each) => each.request?.(request, attempt)),
    reply: (request, reply) => notify((each) => each.reply?.(request, reply)),
    failure: (request, error) => notify((each) => each.failure?.(request, error)),
    wait: (delayMs, reason) => notify((each) => each.wait?.(delayMs, reason)),
    resume: () => notify((each) => each.resume?.()),
  }
}

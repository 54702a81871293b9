import type { Handle } from '../sandbox/service.ts'
import type { Dispatcher, Receiver } from './wire.ts'

type DirectRequest = Parameters<Dispatcher['dispatch']>[0]

/**
 * Maximum number of calls per turn of the event loop. The changes of these calls share one commit. More calls would delay signals and
 * progress.
 */
const callsPerTurn = 32

/** Calls a service in the same process, without a socket. */
export function callDirectly(origin: string, handle: Handle): Dispatcher {
  const call = async ({ method, path, headers, body = '' }: DirectRequest, receiver: Receiver) => {
    let isAborted = false
    const controller = {
      abort: () => {
        isAborted = true
      },
    }
    receiver.onRequestStart(controller)
    if (isAborted) return
    try {
      const response = await handle({ method, url: origin + path, headers, body: [Buffer.from(body)] })
      if (isAborted) return
      receiver.onResponseStart(controller, response.status, response.headers)
      receiver.onResponseData(controller, Buffer.from(response.body))
      receiver.onResponseEnd()
    } catch (error) {
      receiver.onResponseError(controller, error as Error)
    }
  }
  const waiting: (() => void)[] = []
  let ended = Promise.resolve()
  const startTurn = () => {
    if (waiting.length > callsPerTurn) setImmediate(startTurn)
    for (const start of waiting.splice(0, callsPerTurn)) start()
  }
  return {
    dispatch(request, receiver) {
      const end = new Promise<void>((resolve) => {
        if (waiting.push(() => resolve(call(request, receiver))) === 1) setImmediate(startTurn)
      })
      ended = ended.then(() => end)
    },
    destroy: () => ended,
  }
}

import type { Handle } from '../sandbox/service.ts'
import type { Dispatcher, Receiver } from './wire.ts'

type Request = Parameters<Dispatcher['dispatch']>[0]

/** Calls a service in this process. Each call gets its own turn of the event loop, so signals and progress are not delayed. */
export function callDirectly(origin: string, handle: Handle): Dispatcher {
  const call = async ({ method, path, headers, body = '' }: Request, receiver: Receiver) => {
    let isAborted = false
    const controller = {
      abort: () => {
        isAborted = true
      },
    }
    receiver.onRequestStart(controller)
    if (isAborted) return
    try {
      const reply = await handle({ method, url: origin + path, headers, body: [Buffer.from(body)] })
      if (isAborted) return
      receiver.onResponseStart(controller, reply.status, reply.headers)
      receiver.onResponseData(controller, Buffer.from(reply.body))
      receiver.onResponseEnd()
    } catch (error) {
      receiver.onResponseError(controller, error as Error)
    }
  }
  let turn = Promise.resolve()
  return {
    dispatch(request, receiver) {
      turn = turn
        .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
        .then(() => call(request, receiver))
    },
    destroy: () => turn,
  }
}

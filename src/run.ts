import { main } from './cli.ts'
import { createInterrupts } from './interrupt.ts'
import type { Clock } from './io.ts'

const clock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

const echoMs = 100

/** Whoever runs this process (npm, timeout) and some libraries pass on a signal that it got already: that is one, not two. */
function createEchoFilter(): (name: string) => boolean {
  const lastAt = new Map<string, number>()
  return (name) => {
    const now = performance.now()
    const isEcho = now - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY) < echoMs
    lastAt.set(name, now)
    return isEcho
  }
}

/** The only place that touches `process`: real streams, clock and signals in, the exit code out. */
export async function run(argv: readonly string[]): Promise<void> {
  const interrupts = createInterrupts()
  const isEcho = createEchoFilter()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      if (isEcho(name)) return
      // A second signal ends a command that does not stop by itself.
      if (interrupts.signal.aborted) process.exit(name === 'SIGINT' ? 130 : 143)
      interrupts.receive(name)
    })
  }
  const { stdin, stdout, stderr } = process
  process.exitCode = await main(argv, {
    io: { stdin, stdout, stderr },
    env: process.env,
    clock,
    random: Math.random,
    interrupts,
  })
  // A name that is being looked up cannot be given up, and would keep a stopped command waiting.
  if (interrupts.signal.aborted) process.exit()
}

import type { Io } from '../base/io.ts'
import { once } from '../base/once.ts'
import { uptimeMs } from '../base/system/uptime.ts'
import { main } from '../cli/main.ts'
import { createInterrupts, type Interrupts } from '../context/interrupts.ts'
import { clock } from './clock.ts'

const echoMs = 100

/** Whoever runs this process (npm, timeout) and some libraries pass on a signal that it got already: that is one, not two. */
function createEchoFilter(): (name: string) => boolean {
  const lastAt = new Map<string, number>()
  return (name) => {
    const now = uptimeMs()
    const isEcho = now - (lastAt.get(name) ?? Number.NEGATIVE_INFINITY) < echoMs
    lastAt.set(name, now)
    return isEcho
  }
}

/** Node makes each stream when it is first asked for, which takes a while: stdin above all. */
function createIo({ signal }: Interrupts): Io {
  const stdin = once(() => {
    const stream = process.stdin.on('error', () => undefined)
    // Whoever waits for input gives up when everything is to stop. A question is given up by itself, and would take this for a fault.
    const giveUp = () => stream.listenerCount('keypress') === 0 && stream.destroy(signal.reason)
    signal.addEventListener('abort', giveUp, { once: true })
    if (signal.aborted) giveUp()
    return stream
  })
  // A remark that cannot be written must not change what the exit code says of the work itself.
  const stderr = once(() => process.stderr.on('error', () => undefined))
  return {
    get stdin() {
      return stdin()
    },
    get stdout() {
      return process.stdout
    },
    get stderr() {
      return stderr()
    },
  }
}

/** The only place that touches `process`: real streams, clock and signals in, the exit code out. */
export async function run(argv: readonly string[]): Promise<void> {
  // Nothing is left to be done or written then, and Node need not take itself apart.
  process.once('beforeExit', () => process.exit())
  const interrupts = createInterrupts(hear)
  const isEcho = createEchoFilter()
  function onSignal(name: SignalName): void {
    if (isEcho(name)) return
    // A second signal ends a command that does not stop by itself.
    if (interrupts.signal.aborted) leave(name)
    interrupts.receive(name)
  }
  function hear(isOn: boolean): void {
    for (const name of signalNames) process[isOn ? 'on' : 'off'](name, onSignal)
  }
  hear(true)
  process.exitCode = await main(argv, {
    io: createIo(interrupts),
    env: process.env,
    clock,
    random: Math.random,
    interrupts,
  })
  if (interrupts.signal.aborted) leave(signalOf(process.exitCode))
}

const signalNames = ['SIGINT', 'SIGTERM'] as const
type SignalName = (typeof signalNames)[number]

function signalOf(exitCode: number): SignalName | undefined {
  return exitCode === 130 ? 'SIGINT' : exitCode === 143 ? 'SIGTERM' : undefined
}

/** What Node does on threads of its own and cannot give up: to look up a name, to read from a folder that does not answer. */
const onThreads: ReadonlySet<string> = new Set(['GetAddrInfoReqWrap', 'FSReqPromise', 'FSReqCallback'])

/**
 * Ends the process whatever still goes on in it. Node waits for its threads even in `process.exit`; the signal that stopped the
 * program ends it at once, which a shell sees as 130 or 143 just the same.
 */
function leave(name: SignalName | undefined): void {
  const isHeld = process.getActiveResourcesInfo().some((resource) => onThreads.has(resource))
  if (name !== undefined && isHeld && process.platform !== 'win32') {
    process.removeAllListeners(name)
    process.kill(process.pid, name)
  }
  if (name !== undefined) process.exitCode = name === 'SIGINT' ? 130 : 143
  // Node takes an argument for the exit code even where it is undefined, and ends with 0.
  process.exit()
}

import { fstatSync, writeSync } from 'node:fs'
import type { Io, Output } from '../base/io.ts'
import { once } from '../base/once.ts'
import { uptimeMs } from '../base/system/uptime.ts'
import { version } from '../base/version.ts'
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

/** Whether stdout needs nothing that Node would load for its stream: a file or a pipe, not a terminal. */
function isPlain(): boolean {
  try {
    const found = fstatSync(1)
    return found.isFile() || found.isFIFO() || found.isSocket()
  } catch {
    return false
  }
}

/** Writes to a file or a pipe; false where nothing could be written. */
function writePlain(text: string): boolean {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written)
  } catch {
    if (written === 0) return false
    // A pipe that is full for now, or closed: the stream waits, or ends quietly.
    process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE') process.exitCode = 13
    })
    process.stdout.write(bytes.subarray(written))
  }
  return true
}

const quickFlags = ['--version', '-V', '--help', '-h']

/** Whether the command line asked for the version, for help or for a completion and nothing else, and got it. */
async function answerQuickly(argv: readonly string[]): Promise<boolean> {
  const mayBeQuick = argv.length === 0 || argv[0] === 'completion'
  if (!mayBeQuick && !argv.some((word) => quickFlags.includes(word))) return false
  const plain = isPlain()
  if (!plain && !process.stdout.isTTY) return false
  const text = await quickAnswer(argv, plain ? {} : process.stdout)
  if (text === undefined) return false
  if (plain) return writePlain(text)
  process.stdout.write(text)
  return true
}

/** Undefined for any other command line, which has to be looked at with care. */
async function quickAnswer(
  argv: readonly string[],
  stdout: Pick<Output, 'isTTY'>,
): Promise<string | undefined> {
  const [first, second = ''] = argv
  if (argv.length === 1 && (first === '--version' || first === '-V')) return `${version}\n`
  if (argv.length === 2 && first === 'completion' && !stdout.isTTY) {
    const scripts = await (await import('../manual/completion/written-scripts.ts')).writtenScripts
    if (Object.hasOwn(scripts, second)) return scripts[second]
  }
  const { quickHelp } = await import('../manual/help/quick.ts')
  return quickHelp(argv, stdout, process.env)
}

/** The only place that touches `process`: real streams, clock and signals in, the exit code out. */
export async function run(argv: readonly string[]): Promise<void> {
  // Nothing is left to be done or written then, and Node need not take itself apart.
  process.once('beforeExit', () => process.exit())
  if (await answerQuickly(argv)) return
  const { main } = await import('../cli/main.ts')
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

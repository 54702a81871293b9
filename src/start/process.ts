import { fstatSync, writeSync } from 'node:fs'
import { clock } from '../base/clock.ts'
import { once } from '../base/functions.ts'
import type { Io } from '../base/io.ts'
import { main } from '../cli/main.ts'
import { createInterrupts, type Interrupts } from '../context/interrupts.ts'

/**
 * Time in ms for which a repeated signal is ignored. The programs `npm` and `timeout` forward each signal, and the package when-exit (in
 * atomically and conf) sends the first signal again.
 */
const echoMs = 250

/** Creates each stream on first use, because creating a stream takes milliseconds. */
function createIo({ signal }: Interrupts): Io {
  const stdin = once(() => {
    const stream = process.stdin.on('error', () => undefined)
    // Closes the input when the command stops. An open prompt listens for keys and ends by itself, so its input stays open.
    const endInput = () => stream.listenerCount('keypress') === 0 && stream.destroy(signal.reason)
    signal.addEventListener('abort', endInput, { once: true })
    if (signal.aborted) endInput()
    return stream
  })
  // A message that cannot be written must not change the exit code.
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
    get writeDirectly() {
      return isPipeOrFile() ? writeDirectly : undefined
    },
  }
}

function isPipeOrFile(): boolean {
  try {
    const stdout = fstatSync(1)
    return stdout.isFIFO() || stdout.isSocket() || stdout.isFile()
  } catch {
    return false
  }
}

function writeDirectly(bytes: Uint8Array): number {
  try {
    return writeSync(1, bytes)
  } catch {
    // If a direct write fails, 0 bytes count as written, and the caller writes to the stream. The stream waits if a pipe is full, and
    // reports other errors.
    return 0
  }
}

/** Runs the program with the streams, clock, and signals of this process, and sets the exit code. */
export async function run(argv: readonly string[]): Promise<void> {
  // Exits as soon as the event loop is empty, because otherwise Node would spend time freeing memory. All output has been written by then.
  process.once('beforeExit', () => process.exit())
  const interrupts = createInterrupts(listen)
  const recent = new Set<string>()
  function onSignal(name: SignalName): void {
    if (recent.has(name)) return
    recent.add(name)
    // If the process is busy, a signal is delivered after the timer, but before the callback of setImmediate. A timer alone would end too
    // early.
    setTimeout(() => setImmediate(() => recent.delete(name)), echoMs).unref()
    // A second signal ends a command that did not stop after the first signal.
    if (interrupts.signal.aborted) leave(name)
    interrupts.receive(name)
  }
  function listen(isOn: boolean): void {
    for (const name of signalNames) process[isOn ? 'on' : 'off'](name, onSignal)
  }
  listen(true)
  // Because of this listener, a write beyond the file-size limit (`ulimit -f`) fails with an error instead of ending the process.
  process.on('SIGXFSZ', () => undefined)
  process.exitCode = await main(argv, {
    io: createIo(interrupts),
    env: process.env,
    clock,
    random: Math.random,
    interrupts,
  })
  if (interrupts.signal.aborted) leave(signalOf(process.exitCode))
}

const signalNames = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
type SignalName = (typeof signalNames)[number]

function signalOf(exitCode: number): SignalName | undefined {
  return exitCode === 130 ? 'SIGINT' : exitCode === 143 ? 'SIGTERM' : undefined
}

/** Work that runs on other threads and that Node cannot cancel: looking up a host name, or reading from a network drive. */
const uncancelable: ReadonlySet<string> = new Set(['GetAddrInfoReqWrap', 'FSReqPromise', 'FSReqCallback'])

/**
 * Ends the process immediately. `process.exit` waits for a busy thread, so if a thread is busy, the process sends the signal to itself.
 * With and without a busy thread, a shell reports exit code 130 for SIGINT, and 143 for SIGTERM and SIGHUP.
 */
function leave(name: SignalName | undefined): void {
  const isHeld = process.getActiveResourcesInfo().some((resource) => uncancelable.has(resource))
  const signal = name === 'SIGHUP' ? 'SIGTERM' : name
  if (signal !== undefined && isHeld && process.platform !== 'win32') {
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  }
  if (signal !== undefined) process.exitCode = signal === 'SIGINT' ? 130 : 143
  // No argument is passed, because an undefined argument would set the exit code to 0.
  process.exit()
}

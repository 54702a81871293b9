import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

export interface PtyOptions {
  columns?: number
  rows?: number
  cwd?: string
  env?: Record<string, string>
}

/** A program in a pseudo-terminal, with a terminal emulator that renders its screen. */
export interface Pty {
  /** Sends keys unchanged: `\r` is Enter, `\t` is Tab, `\x03` is Ctrl-C. */
  type(keys: string): void
  signal(name: 'SIGTERM'): void
  /** The lines on the screen and in the scrollback, without trailing spaces and trailing empty lines. */
  screen(): string[]
  /** Resolves with the text of the screen when the text matches. Rejects with the text after a time limit. */
  waitFor(pattern: RegExp): Promise<string>
  /** All output so far, including control sequences. */
  raw(): string
  /** Resolves with the exit code when the program ends. */
  readonly ended: Promise<number>
  close(): void
}

/** Maximum wait for a program in ms. Longer than a program takes on a busy machine, and shorter than the timeout of a test. */
export const patienceMs = 60_000

export function openPty(program: string, args: readonly string[], options: PtyOptions = {}): Pty {
  const { columns = 80, rows = 40, cwd = process.cwd(), env = {} } = options
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, scrollback: 2_000 })
  const child = spawn(program, [...args], {
    name: 'xterm-256color',
    cols: columns,
    rows,
    cwd,
    env: { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', TERM: 'xterm-256color', ...env },
  })
  let raw = ''
  let changed: () => void = () => undefined
  child.onData((text) => {
    raw += text
    terminal.write(text, () => changed())
  })
  // Passes the responses of the emulator to the program. A shell sends queries, such as the query for the cursor position.
  terminal.onData((answer) => child.write(answer))
  const ended = new Promise<number>((resolve) =>
    // Waits until the emulator has rendered all output.
    child.onExit(({ exitCode }) => terminal.write('', () => resolve(exitCode))),
  )

  const screen = () => {
    const { active } = terminal.buffer
    const lines = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true) ?? '',
    )
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
  }
  return {
    type: (keys) => child.write(keys),
    signal: (name) => child.kill(name),
    screen,
    raw: () => raw,
    ended,
    waitFor: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`${pattern} did not appear:\n${screen().join('\n')}`))
        const timer = setTimeout(fail, patienceMs)
        changed = () => {
          const text = screen().join('\n')
          if (!pattern.test(text)) return
          clearTimeout(timer)
          resolve(text)
        }
        changed()
      }),
    close: () => {
      child.kill('SIGKILL')
      terminal.dispose()
    },
  }
}

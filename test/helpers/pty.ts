import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'

export interface PtyOptions {
  columns?: number
  rows?: number
  cwd?: string
  env?: Record<string, string>
}

/** A program in a pseudo-terminal, seen through a terminal emulator. */
export interface Pty {
  /** Sends keys as they stand: `\r` is Enter, `\t` Tab, `\x03` Ctrl-C. */
  type(keys: string): void
  signal(name: 'SIGTERM'): void
  /** The lines a person sees now, without spaces at their ends and empty lines at the end. */
  screen(): string[]
  /** Resolves with the screen once it matches; rejects with the screen after the time, in ms. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<string>
  /** Everything that was written so far, with its control sequences. */
  raw(): string
  /** The exit code, once it ends. */
  readonly ended: Promise<number>
  close(): void
}

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
  // A shell asks its terminal where the cursor is; the emulator answers.
  terminal.onData((answer) => child.write(answer))
  const ended = new Promise<number>((resolve) =>
    // What was written before the end reaches the screen first.
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
    waitFor: (pattern, timeoutMs = 10_000) =>
      new Promise((resolve, reject) => {
        const give = () => reject(new Error(`${pattern} did not appear:\n${screen().join('\n')}`))
        const timer = setTimeout(give, timeoutMs)
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

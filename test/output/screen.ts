import { Readable, Writable } from 'node:stream'
import type { Environment, Io, Output } from '../../src/base/io.ts'
import { createTerminal } from '../../src/output/colors.ts'
import { filterValue } from '../../src/output/jq.ts'
import { print } from '../../src/output/print.ts'
import type { OutputSettings } from '../../src/output/settings.ts'
import type { AnyView, Terminal } from '../../src/output/view.ts'

/** The current time in these tests: 4 March 2026, noon UTC. */
export const now = Date.UTC(2026, 2, 4, 12)

export const plainSettings: OutputSettings = {
  format: 'table',
  header: true,
  truncate: true,
  excel: false,
}

export interface Screen {
  /** Number of columns of the terminal. If undefined, the stream is a pipe. */
  width?: number
  /** Rows of a terminal (default: unknown). */
  height?: number
  color?: boolean
  env?: Environment
  settings?: Partial<OutputSettings>
  /** Whether reference values are shown (default true, as in the sandbox). */
  reference?: boolean
}

export class Collector extends Writable {
  text = ''
  isTTY = false
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

export async function penFor({
  width,
  height,
  color = false,
  env = {},
  reference = true,
}: Screen): Promise<Terminal> {
  const stream: Output = new Collector()
  if (width !== undefined) Object.assign(stream, { isTTY: true, columns: width, rows: height })
  const terminal = await createTerminal({
    stream,
    env,
    color: color ? 'always' : 'never',
    clock: { now: () => now },
  })
  return { ...terminal, reference }
}

export async function show<T>(
  value: T,
  view: AnyView<T>,
  screen: Screen = {},
): Promise<{ out: string; err: string }> {
  const stdout = new Collector()
  const stderr = new Collector()
  const io: Io = { stdin: Readable.from([]), stdout, stderr }
  const { jq } = screen.settings ?? {}
  const filter = jq === undefined ? undefined : (result: unknown) => filterValue(result, jq)
  const to = { io, terminal: await penFor(screen), filter }
  await print(value, view, { ...plainSettings, ...screen.settings }, to)
  return { out: stdout.text, err: stderr.text }
}

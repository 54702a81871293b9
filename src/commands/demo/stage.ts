import { once } from 'node:events'
import { Writable } from 'node:stream'
import type { Input, Output } from '../../base/io.ts'
import { readPackageFile } from '../../base/process.ts'
import type { Context } from '../../framework/context.ts'
import { readPage } from '../../output/page.ts'
import { pad, wrap } from '../../output/text.ts'
import type { Terminal } from '../../output/view.ts'
import { write } from '../../output/write.ts'

const maximumWidth = 100

const nextSteps = [
  ['facescan users create 4711', 'create a user in the built-in sandbox'],
  ['facescan profiles add ACME-DEV', 'connect to your service'],
  ['facescan --help', 'see all commands'],
] as const

/** A step of the tour: why a user takes this step, and the commands that the user types. */
export interface TourStep {
  title: string
  why: string
  lines: readonly string[]
  exitCode: number
}

export function readSteps(): TourStep[] {
  const { sections } = readPage(readPackageFile('examples/tour.md'))
  return sections.map(({ heading: title = '', text: why = '', examples: lines = [], rows = [] }) => ({
    title,
    why,
    lines,
    exitCode: Number(Object.fromEntries(rows)['exit code'] ?? 0),
  }))
}

export function opening(terminal: Terminal): string {
  const text = 'A tour of facescan in a temporary sandbox. Nothing leaves this machine.'
  return wrap(text, Math.min(terminal.width, maximumWidth))
    .map((line) => terminal.bold(line))
    .join('\n')
}

export function heading(number: number, { title, why }: TourStep, terminal: Terminal): string {
  const width = Math.min(terminal.width, maximumWidth)
  const rule = '─'.repeat(Math.max(4, width - title.length - String(number).length - 5))
  const lines = wrap(why, width).map((line) => terminal.dim(line))
  return `\n${terminal.cyan(`── ${number} ${terminal.bold(title)} ${rule}`)}\n${lines.join('\n')}\n`
}

export function closing(terminal: Terminal): string {
  const commandWidth = Math.max(...nextSteps.map(([command]) => command.length))
  return [
    `\n${terminal.cyan('─'.repeat(Math.min(terminal.width, maximumWidth)))}`,
    'That’s the tour; its data has been deleted. Next steps:',
    ...nextSteps.map(
      ([command, text]) => `  ${terminal.bold(pad(command, commandWidth))}  ${terminal.dim(text)}`,
    ),
  ].join('\n')
}

/** A stream that commands treat as a terminal without color. It records its text, and prints it if `isShown` is true. */
export function presentOn(
  stream: Output,
  signal: AbortSignal,
  isShown: boolean,
): { stream: Output; text(): string } {
  const chunks: Buffer[] = []
  const shown: Output = new Writable({
    write(chunk: Buffer, _, done) {
      const isProgress = chunk.toString().startsWith('\r')
      if (!isProgress) chunks.push(chunk)
      // Progress lines are not printed to a file. After Ctrl-C, this stream prints nothing, because the tour prints its own message.
      if (!isShown || (isProgress && !stream.isTTY) || signal.aborted) done()
      else write(stream, chunk).then(() => done(), done)
    },
  })
  // The error is ignored here, because the tour reports a failed write when it writes its next text.
  shown.on('error', () => undefined)
  shown.isTTY = true
  shown.columns = stream.columns ?? maximumWidth
  return { stream: shown, text: () => Buffer.concat(chunks).toString() }
}

/** Resolves when all earlier text is printed, or when a write failed. */
export function flush(stream: Output): Promise<void> {
  return new Promise((resolve) => stream.write('', () => resolve()))
}

/** The choices at the prompt between two steps, by the typed word. */
const choices = new Map<string, 'next' | 'back' | 'skip'>([
  ['', 'next'],
  ['b', 'back'],
  ['s', 'skip'],
])

/**
 * Waits before the next step, so that the text can be read, and lets the user choose the next step. Does not wait in a pipe, or if prompts
 * are disabled. `index` is the next step. There is also a wait after the last step, because the links work only until the tour ends.
 */
export async function chooseStep(
  ctx: Context,
  index: number,
  count: number,
): Promise<'next' | 'back' | 'skip'> {
  if (!ctx.ask.possible || !ctx.terminals.stdout.isTTY) return 'next'
  const question =
    index < count
      ? `Press Enter for step ${index + 1} of ${count}; b Enter: back, s Enter: skip, Ctrl-C: stop`
      : 'Press Enter to end the tour and delete its data; b Enter: back'
  const { stdin, stderr } = ctx.io
  try {
    while (!stdin.readableEnded) {
      stderr.write(ctx.terminals.stderr.dim(`\n${question} `))
      const choice = choices.get(await readLine(stdin, ctx.signal))
      const isFirst = index <= 1
      if (choice !== undefined && !(choice === 'back' && isFirst)) return choice
      ctx.note(choice === undefined ? 'type b or s, or only press Enter' : 'step 1 is the first step')
    }
    return 'next'
  } catch (error) {
    if (!ctx.signal.aborted) throw error
    stderr.write('\n')
    ctx.note(`to resume the tour: facescan demo --from ${Math.min(index + 1, count)}`)
    throw ctx.signal.reason
  }
}

/** Reads a line in lower case. Returns an empty text at the end of the input. */
async function readLine(stdin: Input, signal: AbortSignal): Promise<string> {
  const ended = new AbortController()
  const options = { signal: AbortSignal.any([signal, ended.signal]) }
  stdin.resume()
  try {
    const [typed = ''] = await Promise.race([once(stdin, 'data', options), once(stdin, 'end', options)])
    return String(typed).trim().toLowerCase()
  } finally {
    ended.abort()
    stdin.pause()
  }
}

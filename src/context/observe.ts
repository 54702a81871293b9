import { isOn } from '../base/io.ts'
import { curlObserver, traceObserver } from '../http/trace.ts'
import type { Observer } from '../http/wire.ts'
import { createCountdown } from '../output/progress.ts'
import { escapeControls } from '../output/text.ts'
import type { LocalContext } from './composition.ts'

/** Observers of the requests of a command: --debug, --curl, and the countdown before a retry. */
export async function observe(ctx: LocalContext): Promise<Observer[]> {
  const { flags, clock, note } = ctx
  const write = (text: string) => void ctx.io.stderr.write(`${escapeControls(text)}\n`)
  const observers: Observer[] = []
  if (flags.debug || isOn(ctx.env['FACESCAN_DEBUG'])) observers.push(traceObserver(write))
  if (flags.curl) observers.push(curlObserver(write))
  const noteWait = ctx.pen('stderr').pictures ? undefined : note
  if (!flags.quiet) observers.push(createCountdown(ctx.progress, clock, noteWait))
  return observers
}

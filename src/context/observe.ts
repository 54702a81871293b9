import { isOn } from '../base/is-on.ts'
import type { Observer } from '../http/wire.ts'
import { createCountdown } from '../output/progress.ts'
import { escapeControls } from '../output/text.ts'
import type { Close, Composition, LocalContext } from './composition.ts'

/** Observers of the requests of a command: --debug, --curl, --har, and the countdown before a retry. */
export async function observe(
  { pens, settings }: Composition,
  { flags, env, io, clock, warn, note }: LocalContext,
  closers: Close[],
): Promise<Observer> {
  const { combine, curlObserver, traceObserver } = await import('../http/trace.ts')
  const write = (text: string) => void io.stderr.write(`${escapeControls(text)}\n`)
  const observers: Observer[] = []
  if (flags.debug || isOn(env['FACESCAN_DEBUG'])) observers.push(traceObserver(write))
  if (flags.curl) observers.push(curlObserver(write))
  if (flags.har !== undefined) {
    const { harObserver, openHarFile } = await import('../http/har.ts')
    const file = openHarFile(flags.har, warn)
    closers.push(async () => file.close())
    note(
      `${flags.har} will contain all requests and responses, with credentials masked and personal data unmasked`,
    )
    observers.push(harObserver(file.add, () => clock.now()))
  }
  // A script may read stderr as JSON, so only people get a note.
  const noteRetry = settings.format === 'table' ? note : () => undefined
  if (!flags.quiet) observers.push(createCountdown({ stderr: io.stderr, pen: pens.stderr, clock }, noteRetry))
  return combine(observers)
}

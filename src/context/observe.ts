import type { Clock, Environment, Output } from '../base/io.ts'
import { isOn } from '../base/is-on.ts'
import type { GlobalFlags } from '../command/global-flags.ts'
import type { Observer } from '../http/wire.ts'
import { createCountdown } from '../output/countdown.ts'
import type { OutputSettings } from '../output/settings.ts'
import { escapeControls } from '../output/text.ts'
import type { Pen } from '../output/view.ts'

export interface Watched {
  flags: GlobalFlags
  settings: OutputSettings
  env: Environment
  clock: Clock
  stderr: Output
  /** Pen for stderr. */
  pen: Pen
  note(text: string): void
  warn(text: string): void
  onClose(close: () => Promise<void>): void
}

/** What follows the exchange with the service: --debug, --curl, --har, and the countdown while a request waits. */
export async function observe(watched: Watched): Promise<Observer> {
  const { flags, env, stderr } = watched
  const { combine, curlObserver, traceObserver } = await import('../http/trace.ts')
  const write = (text: string) => void stderr.write(`${escapeControls(text)}\n`)
  const observers: Observer[] = []
  if (flags.debug || isOn(env['FACESCAN_DEBUG'])) observers.push(traceObserver(write))
  if (flags.curl) observers.push(curlObserver(write))
  if (flags.har !== undefined) observers.push(await recordHar(flags.har, watched))
  if (!flags.quiet) observers.push(createCountdown(watched, (text) => noteForPeople(text, watched)))
  return combine(observers)
}

/** A script that reads stderr as JSON gets no remark in between. */
function noteForPeople(text: string, { settings, note }: Watched): void {
  if (settings.format === 'table') note(text)
}

async function recordHar(path: string, { clock, warn, note, onClose }: Watched): Promise<Observer> {
  const [{ harObserver }, { openHarFile }] = await Promise.all([
    import('../http/har.ts'),
    import('../http/har-file.ts'),
  ])
  const file = openHarFile(path, warn)
  onClose(async () => file.close())
  note(`${path} will hold every exchange: credentials masked, personal data not`)
  return harObserver(
    (entry) => file.add(entry),
    () => clock.now(),
  )
}

import type { Composition } from './compose.ts'
import type { Context } from './context.ts'
import type { Observer } from './http/wire.ts'
import { createCountdown } from './output/countdown.ts'
import { escapeControls } from './output/text.ts'

type Closers = (() => Promise<void>)[]

/** What follows the exchange with the service: --debug, --curl, --har, and the countdown while a request waits. */
export async function observe(
  { flags, outside, pens, settings }: Composition,
  ctx: Pick<Context, 'note' | 'warn'>,
  closers: Closers,
): Promise<Observer> {
  const { combine, curlObserver, traceObserver } = await import('./http/trace.ts')
  const { stderr } = outside.io
  const write = (text: string) => void stderr.write(`${escapeControls(text)}\n`)
  const observers: Observer[] = []
  if (flags.debug || outside.env['FACESCAN_DEBUG']) observers.push(traceObserver(write))
  if (flags.curl) observers.push(curlObserver(write))
  if (flags.har !== undefined) observers.push(await openHar(flags.har, outside.clock.now, ctx, closers))
  if (!flags.quiet) {
    const isForPeople = settings.format === 'table' && !settings.fields && settings.jq === undefined
    const note = (text: string) => isForPeople && ctx.note(text)
    observers.push(createCountdown({ stderr, pen: pens.stderr, clock: outside.clock }, note))
  }
  return combine(observers)
}

async function openHar(
  path: string,
  now: () => number,
  ctx: Pick<Context, 'note' | 'warn'>,
  closers: Closers,
): Promise<Observer> {
  const [{ harObserver }, { openHarFile }] = await Promise.all([
    import('./http/har.ts'),
    import('./http/har-file.ts'),
  ])
  const file = openHarFile(path, ctx.warn)
  closers.push(async () => file.close())
  ctx.note(`${path} will hold every exchange: credentials masked, personal data not`)
  return harObserver((entry) => file.add(entry), now)
}

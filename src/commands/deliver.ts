import { ServiceError } from '../base/errors.ts'
import { orList, toUrl } from '../base/text.ts'
import { type CommandResult, commandResult } from '../framework/command-result.ts'
import type { Context } from '../framework/context.ts'
import { flag, type OptionValues, toggle } from '../framework/options.ts'
import { expiryTime } from '../framework/times.ts'
import { pngFile } from '../framework/values.ts'
import { isLoopback } from '../http/base-url.ts'
import { expiryOf } from '../http/expiry.ts'
import { isForPeople } from '../output/settings.ts'
import { oneLine } from '../output/text.ts'
import { formatExpiry, formatTime } from '../output/time.ts'
import type { RecordView } from '../output/view.ts'
import { withStore } from './sandbox/options.ts'
import { prepareFile } from './save-file.ts'

const clearAfterMs = 45_000

const kindNames = { url: 'link', token: 'token' } as const

/** Flags that deliver a secret without printing it. */
export const deliveryOptions = {
  copy: toggle('--copy', `copy to the clipboard, which is cleared after ${clearAfterMs / 1_000} s`),
  qr: toggle('--qr', 'show a QR code instead of text'),
  qrFile: flag('--qr-file <file>', 'save a QR code as a private PNG image', pngFile),
}

export const linkOptions = {
  open: toggle('--open', 'open the link in the browser instead of showing it'),
  ...deliveryOptions,
}

export const expiryFlag = flag(
  '--expire-at <time>',
  'expiration time (UTC) or duration, such as 2h',
  expiryTime,
)

export type Delivery = OptionValues<typeof deliveryOptions> & { open?: boolean }

interface Delivered {
  delivered: readonly string[]
  expires_at: string | null
}

/** The JSON of a token or link: the value if it is printed, otherwise the ways in which it was delivered. */
export async function printedSchema<Kind extends 'url' | 'token'>(kind: Kind) {
  const { array, nullable, optional, strictObject, string, union } = await import('zod/mini')
  const printed = strictObject({ [kind]: string(), expires_at: optional(string()) } as Record<
    Kind,
    ReturnType<typeof string>
  > & { expires_at: ReturnType<typeof optional<ReturnType<typeof string>>> })
  return union([printed, strictObject({ delivered: array(string()), expires_at: nullable(string()) })])
}

const deliveredView: RecordView<Delivered> = {
  draw({ delivered, expires_at }, terminal) {
    if (!terminal.isTTY) return undefined
    const expiry = expires_at === null ? '' : `; expires ${formatTime(expires_at, terminal)}`
    return `Delivered: ${delivered.join(', ')}${expiry}`
  },
  columns: [
    { key: 'delivered', title: 'Delivered' },
    { key: 'expires_at', title: 'Expires', time: true },
  ],
}

type Printed<Kind extends string> = Record<Kind, string> & { expires_at?: string }

const expiryColumn = { key: 'expires_at', title: 'expires_at' } as const

/** The view for a list, with one row per user. For one user, `deliver` prints only the value. */
export const tokenView: RecordView<Printed<'token'>> = {
  columns: [{ key: 'token', title: 'token' }, expiryColumn],
}
export const linkView: RecordView<Printed<'url'>> = { columns: [{ key: 'url', title: 'url' }, expiryColumn] }

/** Prints a token or link, or delivers it in the selected ways. `expiresAt` is used if a token does not contain its expiry. */
export async function deliver<Kind extends 'url' | 'token'>(
  ctx: Context,
  kind: Kind,
  create: () => Promise<string>,
  options: Delivery,
  { remarks = [], expiresAt }: { remarks?: readonly string[]; expiresAt?: string | undefined } = {},
): Promise<CommandResult<Printed<Kind> | Delivered>> {
  const { text, delivered } = await handOver(ctx, kind, create, options)
  const expires_at = expiryOf(text) ?? expiresAt
  const needsServer = kind === 'url' && !(await isServed(ctx))
  const notes = [
    ...remarks,
    ...(needsServer
      ? ['the link opens on this machine while the server of the sandbox runs: facescan sandbox serve']
      : []),
  ]
  if (delivered.length > 0) {
    return commandResult({ delivered, expires_at: expires_at ?? null }, { view: deliveredView, notes })
  }
  if (expires_at) notes.unshift(`expires ${formatExpiry(Date.parse(expires_at), ctx.terminals.stderr)}`)
  if (ctx.terminals.stdout.isTTY && isForPeople(ctx.settings) && !options.qr)
    notes.push(`to show a QR code instead, add --qr; to copy the ${kindNames[kind]}, add --copy`)
  const printed = { [kind]: text, ...(expires_at && { expires_at }) } as Printed<Kind>
  return commandResult(printed, { view: { text: (shown) => oneLine(shown[kind]) }, notes })
}

export function assertSafeLink(text: string): void {
  if (isSafeLink(text)) return
  throw new ServiceError('server', 'the service returned a link that is not an HTTPS URL; it is not shown')
}

/** Whether the link uses HTTPS, or HTTP on this machine. Any other link could run a script, or send its token in plain text. */
export function isSafeLink(text: string): boolean {
  const url = toUrl(text)
  const isLocal = url !== undefined && (isLoopback(text) || url.hostname.endsWith('.localhost'))
  // Letters outside ASCII are refused, because they can imitate another host.
  const isPlain = /^https?:\/\/[\w.:[\]-]+([/?#]|$)/i.test(text) && !/[\s\\\p{C}]/u.test(text)
  return isPlain && (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal))
}

/** Whether the link can be opened. A link to the built-in sandbox needs a running `sandbox serve`. */
async function isServed(ctx: Context): Promise<boolean> {
  const { baseUrl } = await ctx.session()
  if (baseUrl !== undefined) return true
  const { findServer } = await import('../sandbox/index.ts')
  return (await withStore(ctx, undefined, findServer)) !== undefined
}

export function isDelivered({ open, copy, qr, qrFile }: Delivery): boolean {
  return Boolean(open || copy || qr || qrFile)
}

/** Creates and delivers the value. Throws before the creation if `qrFile` cannot be written. */
export async function handOver(
  ctx: Context,
  kind: 'url' | 'token',
  create: () => Promise<string>,
  options: Delivery,
): Promise<{ text: string; delivered: string[] }> {
  const { open, copy, qr, qrFile } = options
  const save = qrFile === undefined ? undefined : await prepareFile(ctx, qrFile)
  const text = await create()
  if (kind === 'url') assertSafeLink(text)
  const delivered: string[] = []
  if (qr && (await showQr(ctx, text, options))) delivered.push('QR code')
  if (save) {
    const { qrImage } = await import('../output/draw/qr.ts')
    await save(await qrImage(text))
    delivered.push(`QR code in ${qrFile}`)
  }
  if (copy) {
    const { copyForAWhile } = await import('../output/clipboard.ts')
    await copyForAWhile(text, ctx.env, clearAfterMs)
    delivered.push(`clipboard (for ${clearAfterMs / 1_000} s)`)
  }
  if (open) {
    const { openInBrowser } = await import('../output/browser.ts')
    await openInBrowser(text, { env: ctx.env, signal: ctx.signal, timeoutMs: 30_000 })
    delivered.push('browser')
  }
  return { text, delivered }
}

/** Shows the QR code. Returns false if the terminal is too small. */
async function showQr(ctx: Context, text: string, options: Delivery): Promise<boolean> {
  const { layOutQr } = await import('../output/draw/qr.ts')
  const terminal = ctx.terminals.stderr
  const { drawing, columns, rows } = layOutQr(text, terminal)
  if (drawing !== undefined) {
    ctx.io.stderr.write(drawing)
    return true
  }
  const size = `${columns} columns and ${rows} rows`
  ctx.warn(
    `the QR code needs ${size}, but this terminal has ${terminal.width} columns and ${terminal.height} rows`,
  )
  const others = orList(['--copy', ...('open' in options ? ['--open'] : []), '--qr-file qr.png'])
  const printed = /^https?:/.test(text) ? kindNames.url : kindNames.token
  ctx.note(`use the ${printed} below, enlarge the terminal, or add ${others}`)
  return false
}

import { formatDuration } from '../base/clock.ts'
import { FacescanError, UsageError } from '../base/errors.ts'
import { quoteWord } from '../base/text.ts'
import type { ReplyOf } from '../contract/index.ts'
import { languageNames, languages } from '../contract/values.ts'
import { type CommandResult, commandResult } from '../framework/command-result.ts'
import type { Context } from '../framework/context.ts'
import { defineCommand } from '../framework/define-command.ts'
import { printCommandResult } from '../framework/execute.ts'
import { flag, optionalValue } from '../framework/options.ts'
import { userArguments } from '../framework/user.ts'
import { duration, oneNamed } from '../framework/values.ts'
import { expiryOf } from '../http/expiry.ts'
import { latestView } from '../output/health/scans.ts'
import { followUp } from '../output/hint.ts'
import { isForMachines } from '../output/message.ts'
import { formats } from '../output/settings.ts'

import {
  type Delivery,
  deliver,
  expiryFlag,
  handOver,
  isDelivered,
  linkOptions,
  linkView,
  printedSchema,
} from './deliver.ts'
import { newScans, type Watching } from './new-scans.ts'
import { reachUser } from './reach-user.ts'

/** Maximum difference in ms between the requested and the actual expiry. Services round to seconds or minutes. */
const maxExpiryDifferenceMs = 60_000
const usualWaitMs = 15 * 60_000

export default defineCommand({
  user: 'either',
  many: {
    isSecret: true,
    rowFlags: ['language', 'expireAt'],
    excludes: ['open', 'copy', 'qr', 'qrFile', 'wait'],
  },
  view: linkView,
  // The JSON of a link. If --wait is set, it contains the new scan.
  output: async () => {
    const { union } = await import('zod/mini')
    const { replySchema } = await import('../contract/index.ts')
    return union([await printedSchema('url'), replySchema('biomarkers.latest')])
  },
  calls: ['scanUrl', 'biomarkers.latest'],
  options: {
    language: flag('--language <code>', 'language of the scan page', oneNamed(languages, languageNames), {
      remark: 'default: the user’s language',
    }),
    expireAt: expiryFlag,
    ...linkOptions,
    wait: optionalValue(
      '--wait [duration]',
      'wait for the next scan and print it (default: up to 15m)',
      (text: string) => (text === '' ? usualWaitMs : duration(text)),
    ),
  },
  description:
    'A link usually expires after a few hours. If a link does not open, create a new link. To embed a link in a web page, allow the subdomains of the service.',
  examples: ['facescan scan-url 4711 --qr --wait'],
  async run(ctx, { user, wait: waitMs, language, expireAt, ...delivery }) {
    const api = await ctx.api()
    const url = async () => {
      const link = await api.scanUrl({ user, query: { language, expire_at: expireAt } })
      checkExpiry(ctx, link, expireAt)
      return link
    }
    if (waitMs === undefined) {
      const expiresAt = expireAt === undefined ? undefined : `${expireAt}Z`
      return deliver(ctx, 'url', url, delivery, { expiresAt })
    }
    const inOneDocument = !formats[ctx.settings.format].streams
    if (inOneDocument && !isDelivered(delivery)) {
      throw new UsageError('with --wait, the output is the scan and cannot include the link', {
        hint: 'Use --qr, --open, or --copy for the link, or print both with -o ndjson.',
      })
    }
    const reached = await reachUser(ctx, user)
    const read = () => reached.api.biomarkers.latest({ user: reached.user, query: { count: 10 } })
    const known = await read()
    await handLink(ctx, url, delivery)
    return waitForScan(ctx, { known, read }, { waitMs, selected: userArguments(user) })
  },
})

/** Warns if the link expires at another time than requested, because the specification defines no time zone for `expire_at`. */
function checkExpiry(ctx: Context, link: string, requested: string | undefined): void {
  const actual = expiryOf(link)
  if (requested === undefined || actual === undefined) return
  if (Math.abs(Date.parse(actual) - Date.parse(`${requested}Z`)) > maxExpiryDifferenceMs)
    ctx.warn(`the link expires at ${actual}, but ${requested}Z was requested`)
}

/** Delivers or prints the link. If the delivery fails, prints the link on stderr, because stdout is for the scan. */
async function handLink(ctx: Context, create: () => Promise<string>, delivery: Delivery): Promise<void> {
  if (!isDelivered(delivery)) return printCommandResult(ctx, await deliver(ctx, 'url', create, delivery))
  const { text, delivered } = await handOver(ctx, 'url', create, delivery)
  if (delivered.length > 0) return
  if (isForMachines(ctx.settings.format, ctx.io.stderr)) ctx.note(text)
  else ctx.io.stderr.write(`${text}\n`)
}

type ArrivedScan = ReplyOf<'biomarkers.latest'>[number]

/** Waits for the first new scan and returns it. `selected` contains the arguments that select the user in suggested commands. */
async function waitForScan(
  ctx: Context,
  scans: Pick<Watching<ArrivedScan>, 'known' | 'read'>,
  { waitMs, selected }: { waitMs: number; selected: string[] },
): Promise<CommandResult<readonly ArrivedScan[]>> {
  const span = formatDuration(waitMs)
  const { environment } = await ctx.session()
  if (environment === 'sandbox' && ctx.terminals.stderr.isTTY)
    ctx.note(
      `to record a scan, run in another terminal: facescan sandbox scan ${selected.map(quoteWord).join(' ')}`,
    )
  ctx.note(`waiting up to ${span} for the scan; press Ctrl-C to stop`)
  const watching = {
    ...scans,
    until: ctx.signal,
    deadline: ctx.clock.monotonic() + waitMs,
    describe: (waitedMs: number) => `waiting for the scan… ${formatDuration(waitedMs)} of ${span}`,
  }
  for await (const scan of newScans(ctx, watching)) {
    const next = followUp(
      ['biomarkers', 'latest', ...selected, '--count', '5'].map(quoteWord).join(' '),
      ctx.flags,
    )
    const notes = ctx.terminals.stdout.isTTY ? [`compare with earlier scans: ${next}`] : []
    return commandResult([scan], { view: latestView, notes })
  }
  throw new FacescanError('network', `no new scan arrived within ${span}`, {
    hint: {
      text: 'The link still works. Check for a later scan',
      run: ['biomarkers', 'latest', ...selected],
    },
    retryable: true,
  })
}

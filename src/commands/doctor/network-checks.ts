import type { Context } from '../../command/context.ts'
import type { Api } from '../../http/client.ts'
import type { WireReply } from '../../http/wire.ts'
import type { Session } from '../../profiles/session.ts'
import { type Check, type Outcome, ok, problem, skipped, warning } from './finding.ts'

const largestSkewMs = 60_000

type Reached = { api: Api; session: Session; baseUrl: URL | undefined }

/** Checks that need a connection. Sends at most two read requests: the public CE label, and one that needs the key. */
export function networkChecks(ctx: Context): Check[] {
  let first: WireReply | undefined
  let reached: Reached | undefined
  const whenReached = async (
    look: (to: Reached, reply: WireReply) => Promise<Outcome> | Outcome,
  ): Promise<Outcome> => (reached && first ? look(reached, first) : skipped('no connection'))

  return [
    {
      name: 'connection',
      look: async () => {
        reached = await reach(ctx)
        first = await reached.api.attempt(reached.api.contract.ceLabel, {})
        const proxy = await proxyOf(reached, ctx)
        const way = proxy ? ` through ${proxy.host}` : ''
        return ok(
          `${nameHost(reached)}${way} responded with ${first.status} in ${Math.round(first.durationMs)} ms`,
        )
      },
    },
    { name: 'certificate', look: () => whenReached((to) => checkCertificate(to, ctx)) },
    { name: 'clock', look: () => whenReached((_, reply) => checkClock(reply, ctx.clock.now())) },
    { name: 'key', look: () => whenReached((to) => checkKey(to)) },
  ]
}

async function reach(ctx: Context): Promise<Reached> {
  const session = await ctx.session()
  const api = await ctx.connect(session)
  return { api, session, baseUrl: session.baseUrl === undefined ? undefined : new URL(session.baseUrl) }
}

function nameHost({ baseUrl }: Reached): string {
  return baseUrl?.host ?? 'the built-in sandbox'
}

async function proxyOf({ baseUrl }: Reached, ctx: Context): Promise<URL | undefined> {
  const { findProxy } = await import('../../http/proxy.ts')
  return baseUrl && findProxy(baseUrl, ctx.env)
}

async function checkCertificate(to: Reached, ctx: Context): Promise<Outcome> {
  if (to.baseUrl?.protocol !== 'https:') return skipped('no HTTPS connection')
  const { describeCertificate } = await import('../../http/certificate.ts')
  const proxy = await proxyOf(to, ctx)
  const found = await describeCertificate(to.baseUrl, proxy, ctx.signal)
  return found ? ok(found) : skipped('not available through the proxy')
}

/** A wrong clock makes action tokens and certificates look expired. */
export function checkClock(reply: Pick<WireReply, 'headers'>, now: number): Outcome {
  const serverTime = Date.parse(reply.headers['date'] ?? '')
  if (Number.isNaN(serverTime)) return skipped('the service sent no date')
  const skewMs = now - serverTime
  const seconds = Math.abs(Math.round(skewMs / 1_000))
  if (Math.abs(skewMs) <= largestSkewMs) return ok(`within ${Math.max(1, seconds)} s of the service`)
  return warning(
    `${seconds} s ${skewMs > 0 ? 'ahead of' : 'behind'} the service`,
    'Set the clock of this machine.',
  )
}

async function checkKey({ api, session }: Reached): Promise<Outcome> {
  if (session.credential?.kind === 'token') return skipped('not checked: an action token is used')
  const reply = await api.attempt(api.contract.questions.all, {})
  if (reply.status === 200) return ok('accepted by the service')
  const source = session.credential?.source ?? 'the built-in sandbox'
  return problem(
    `the service responded with ${reply.status} to the key from ${source}`,
    'Check: facescan status',
  )
}

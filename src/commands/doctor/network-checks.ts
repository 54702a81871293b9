import type { Context } from '../../framework/context.ts'
import type { Api } from '../../http/client.ts'
import type { WireResponse } from '../../http/wire.ts'
import { describeSession } from '../../profiles/describe-session.ts'
import type { Session } from '../../profiles/session.ts'
import { type Check, type CheckResult, ok, problem, skipped, warning } from './finding.ts'

const largestSkewMs = 60_000

interface Reached {
  api: Api
  session: Session
  /** Base URL of the service. Undefined for the built-in sandbox. */
  baseUrl: URL | undefined
  proxy: URL | undefined
  /** The host of the service, and the proxy. */
  way: string
  reply: WireResponse
}

/** Checks that need a connection. They send at most two requests that only read: one for the public CE label, and one with the key. */
export function networkChecks(ctx: Context): Check[] {
  let reached: Reached | undefined
  const whenReached = (look: (to: Reached) => Promise<CheckResult> | CheckResult) => () =>
    reached ? look(reached) : skipped('no connection')
  return [
    [
      'connection',
      async () => {
        // If the profile or key cannot be used, a local check already reports the reason. So this check is skipped.
        if ((await describeSession(ctx)).error) return skipped('the profile or API key cannot be used')
        reached = await reach(ctx)
        const { way, reply } = reached
        return ok(`${way} responded with ${reply.status} in ${Math.round(reply.durationMs)} ms`)
      },
    ],
    ['certificate', whenReached((to) => checkCertificate(to, ctx.signal))],
    ['clock', whenReached(({ reply }) => checkClock(reply, ctx.clock.now()))],
    ['key', whenReached(checkKey)],
  ]
}

async function reach(ctx: Context): Promise<Reached> {
  const { findProxy, shownHost } = await import('../../http/proxy.ts')
  const session = await ctx.session()
  const api = await ctx.connect(session)
  const baseUrl = session.baseUrl === undefined ? undefined : new URL(session.baseUrl)
  const proxy = baseUrl && findProxy(baseUrl, ctx.env)
  const way = `${baseUrl?.host ?? 'the built-in sandbox'}${proxy ? ` through ${shownHost(proxy.host)}` : ''}`
  return { api, session, baseUrl, proxy, way, reply: await api.attempt(api.contract.ceLabel, {}) }
}

async function checkCertificate({ baseUrl, proxy }: Reached, signal: AbortSignal): Promise<CheckResult> {
  if (baseUrl?.protocol !== 'https:') return skipped('no HTTPS connection')
  const { describeCertificate } = await import('../../http/certificate.ts')
  const found = await describeCertificate(baseUrl, proxy, signal)
  return found ? ok(found) : skipped('not available through the proxy')
}

/** Compares the clocks of this machine and the service. If they differ, valid tokens and certificates can look expired. */
export function checkClock(reply: Pick<WireResponse, 'headers'>, now: number): CheckResult {
  const serverTime = Date.parse(reply.headers['date'] ?? '')
  if (Number.isNaN(serverTime)) return skipped('the response has no Date header')
  const skewMs = now - serverTime
  const seconds = Math.abs(Math.round(skewMs / 1_000))
  if (Math.abs(skewMs) <= largestSkewMs)
    return ok(`in sync with the service (within ${Math.max(1, seconds)} s)`)
  const direction = skewMs > 0 ? 'ahead of' : 'behind'
  return warning(`${seconds} s ${direction} the service`, 'Fix the clock on this machine.')
}

async function checkKey({ api, session: { credential } }: Reached): Promise<CheckResult> {
  if (credential?.kind === 'token') return skipped('not checked: this command uses an action token')
  const reply = await api.attempt(api.contract.questions.all, {})
  if (reply.status === 200) return ok('accepted by the service')
  if (reply.status !== 401 && reply.status !== 403)
    return problem(
      `not verified: the service returned ${reply.status}`,
      'Check the base URL, or try again later.',
    )
  const source = credential?.source ?? 'the built-in sandbox'
  return problem(`the service returned ${reply.status} for the key from ${source}`, 'Check: facescan status')
}

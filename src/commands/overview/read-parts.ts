import { FacescanError, ServiceError } from '../../base/errors.ts'
import { once } from '../../base/functions.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Context } from '../../framework/context.ts'
import type { UserId } from '../../framework/user.ts'
import type { Api } from '../../http/client.ts'
import { readPages } from '../answers/read-pages.ts'
import { reachUser } from '../reach-user.ts'
import type { Overview, OverviewPart } from './schema.ts'

/** Maximum number of scans. One request reads the last scan and the 30 days before it. */
const maxScans = 100

export interface ReadParts {
  overview: Overview
  /** The error of the first part that failed, in the order of the parts. */
  failure: FacescanError | undefined
  /** Whether the service does not know the user. A 404 for other data of a user can mean that there is no such data. */
  isUnknownUser: boolean
  /** Parts that are not available with this credential or kind of ID, and the reason. No request is sent for them. */
  unavailable: ReadonlyMap<OverviewPart, string>
}

type Reads = { [Part in OverviewPart]: () => Promise<Overview[Part]> }

export async function readParts(ctx: Context, user: UserId | undefined): Promise<ReadParts> {
  const api = await ctx.api()
  const unavailable = findUnavailable(api, user)
  const { environment } = await ctx.session()
  if (environment === 'sandbox' && user) unavailable.set('changes', 'changes to the sandbox are not logged')
  const overview: Record<string, unknown> = {}
  const failures: [OverviewPart, FacescanError][] = []
  const parts = Object.entries(readsOf(ctx, api, user)) as [OverviewPart, () => Promise<unknown>][]
  const results = await Promise.allSettled(
    parts.map(([part, read]) => (unavailable.has(part) ? null : read())),
  )
  results.forEach((result, index) => {
    const part = (parts[index] as (typeof parts)[number])[0]
    overview[part] = result.status === 'fulfilled' ? result.value : null
    if (result.status === 'fulfilled') return
    if (!(result.reason instanceof FacescanError)) throw result.reason
    failures.push([part, result.reason])
  })
  const problems = failures.map(([part, { code, message, details }]) => ({
    part,
    code,
    message,
    status: details.status ?? null,
  }))
  const [[failed, first] = []] = failures
  const isUnknownUser = failed === 'user' && first?.code === 'not_found'
  // The user exists, so the usual hint to check the ID or to create the user would be wrong.
  const isOnlyPart = overview['user'] && first?.details.missing === 'user'
  const failure = isOnlyPart
    ? new ServiceError(first.code, first.message, { ...first.details, hint: [] })
    : first
  return { overview: { ...overview, problems } as Overview, failure, isUnknownUser, unavailable }
}

function readsOf(ctx: Context, api: Api, user: UserId | undefined): Reads {
  const acting = once(() => reachUser(ctx, user))
  const known = user as UserId
  const external = user as { external_user_id: string }
  return {
    user: () => api.users.get({ user: known }),
    biomarkers: async () => {
      const { api: reader, user } = await acting()
      return reader.biomarkers.list({ user, query: { order: 'desc', count: maxScans } })
    },
    metrics: () => api.metrics({ user: external }),
    wellbeing: async () => {
      const { api: reader, user } = await acting()
      return reader.wellbeing({ user })
    },
    questions: () => api.questions.all(),
    answers: async () => {
      const read = (page: number) => api.questions.answered({ user: external, query: { page } })
      return (await readPages(read)).items
    },
    recommendations: () => api.recommendations({ user }),
    changes: async () => {
      const id = 'user_id' in known ? { userId: known.user_id } : { externalUserId: known.external_user_id }
      const { listChanges } = await import('../../audit/changes.ts')
      const { baseUrl } = await ctx.session()
      // Another service can have a user with the same external user ID.
      return listChanges(ctx.paths, { ...id, host: baseUrl && new URL(baseUrl).host, isMade: true }, 1)
    },
  }
}

const needsKey = 'needs the API key'

function findUnavailable(
  { contract, credentialKind }: Api,
  user: UserId | undefined,
): Map<OverviewPart, string> {
  const endpoints: Partial<Record<OverviewPart, Endpoint>> = {
    user: contract.users.get,
    metrics: contract.metrics,
    questions: contract.questions.all,
    answers: contract.questions.answered,
  }
  const found = new Map<OverviewPart, string>()
  for (const [part, endpoint] of Object.entries(endpoints) as [OverviewPart, Endpoint][]) {
    if (credentialKind === 'token' && !endpoint.credentials.includes('token')) found.set(part, needsKey)
    else if (user && 'user_id' in user && endpoint.user && !endpoint.user.earlier.includes('user_id'))
      found.set(part, 'needs the external user ID')
  }
  if (user === undefined) found.set('changes', needsKey)
  return found
}

import { FacescanError, type Hint, ServiceError } from '../base/errors.ts'
import { userIdProblem } from '../base/text.ts'
import { uuidPattern } from '../contract/values.ts'
import type { Api } from '../http/client.ts'
import type { Context } from './context.ts'
import { namePlace, shownUser, type UserId, type UserNeed, userArguments } from './user.ts'

/**
 * Replaces a 404 error with an error that names what is missing: the user, the face scan, or the base URL. Other errors stay unchanged. If
 * needed, `testAddress` requests a path without a user, and returns the error of this request.
 */
export async function explainMissing(
  error: unknown,
  ctx: Context,
  need: UserNeed | undefined,
  { user, faceScanId }: { user?: UserId | undefined; faceScanId?: string },
  testAddress = async () => testService(await ctx.api()),
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.details.missing === undefined) return error
  const { missing, detail } = error.details
  // The path of a widget endpoint contains no user. A 404 response with an error text can mean that the face scan does not exist. The base
  // URL is therefore tested before it is reported as wrong.
  const isAddress = missing === 'address' && (faceScanId === undefined || detail === undefined)
  if (isAddress || (await isWrongAddress(error, testAddress))) return nameBaseUrl(error, ctx)
  if (user === undefined) return error
  // The message already states that the user was not found, so the same error text is omitted.
  const reason = detail === undefined || detail === 'user not found' ? '' : `: ${detail}`
  const place = `in ${await namePlace(ctx)} (404)${reason}`
  const name = `user "${shownUser(user)}"`
  const list = ['biomarkers', 'list', ...userArguments(user), '--no-truncate']
  const [message, hint] =
    faceScanId === undefined
      ? [`${name} not found ${place}`, await suggest(user, ctx, need)]
      : [
          `face scan ${faceScanId} not found for ${name} ${place}`,
          { text: 'List the user’s face scans', run: list },
        ]
  return new ServiceError('not_found', message, { ...error.details, hint })
}

/**
 * Whether the base URL is wrong. A 404 can mean an unknown user or an unknown path. If the error text does not contain "user" or "scan", a
 * request that needs no user is sent. If it also returns 404, the base URL is wrong.
 */
async function isWrongAddress(
  { details: { detail = '' } }: ServiceError,
  testAddress: () => Promise<FacescanError | undefined>,
): Promise<boolean> {
  return !/user|scan/i.test(detail) && (await testAddress())?.details.status === 404
}

/** Sends a request that needs no user. Resolves with the error, or with undefined if the request succeeds. */
export async function testService(api: Api): Promise<FacescanError | undefined> {
  try {
    await api.questions.all()
    return undefined
  } catch (error) {
    if (error instanceof FacescanError) return error
    throw error
  }
}

async function nameBaseUrl(error: ServiceError, ctx: Context): Promise<ServiceError> {
  const { baseUrl } = await ctx.session()
  if (baseUrl === undefined || error.details.hint !== undefined) return error
  const { missing, detail = '' } = error.details
  const message =
    missing === 'address' ? error.message : `the service was not found at ${baseUrl} (404): ${detail}`
  const hint = { text: `Check the base URL ${baseUrl}`, run: ['status'] }
  return new ServiceError('not_found', message, { ...error.details, missing: 'address', hint })
}

/** Commands that people often run before they create the user. After a 404, the hint suggests creating the user. */
const forNewUsers = ['answers save', 'scan-url', 'dashboard-url', 'token']

async function suggest(
  user: UserId,
  { command, line }: Context,
  need: UserNeed | undefined,
): Promise<string | Hint> {
  if ('user_id' in user) return 'Check the user ID, or pass the external user ID'
  const id = user.external_user_id
  if (uuidPattern.test(id)) {
    const same = line.replace(new RegExp(`(?:--external-user-id[ =]|-- )?\\b${id}\\b`), `--user-id ${id}`)
    return need === 'external' || same === line
      ? 'If the service assigned this ID, pass the external user ID instead'
      : `If the service assigned this ID, pass it with --user-id: ${same}`
  }
  if (id !== id.trim()) return 'Check the ID: it starts or ends with a space'
  if (isAlmostUuid(id)) return 'Check the ID: it is similar to a user ID, but is not a valid UUID'
  if (forNewUsers.includes(command)) return suggestCreate(user)
  return /\p{L}/u.test(id) ? 'Check the ID, including upper and lower case' : 'Check the ID'
}

/** Whether the text is probably a UUID with a missing, an additional, or a wrong character. */
export function isAlmostUuid(text: string): boolean {
  const isDashed = /^[a-z\d]{7,9}-[a-z\d]{3,5}-[a-z\d]{3,5}-[a-z\d]{3,5}-[a-z\d]{11,13}$/i.test(text)
  return (isDashed || /^(?:[a-f\d]{31}|[a-f\d]{33})$/i.test(text)) && !uuidPattern.test(text)
}

/** Suggests creating the user, unless `users create` refuses the ID. */
export async function suggestCreate(
  user: { external_user_id: string },
  flags: readonly string[] = [],
): Promise<string | Hint> {
  const { describeDamage } = await import('../bulk/rows/user-ids.ts')
  const id = user.external_user_id
  if (userIdProblem(id) !== undefined || describeDamage(id) !== undefined || isAlmostUuid(id))
    return 'Check the ID'
  const run = ['users', 'create', ...userArguments(user), ...flags]
  return { text: 'Check the ID, or create the user', run }
}

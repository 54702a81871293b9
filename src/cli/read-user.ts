import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import type { Command } from '../framework/define-command.ts'
import type { Argument } from '../framework/options.ts'
import type { UserId } from '../framework/user.ts'
import { uuid } from '../framework/values.ts'
import { lastText, type Words } from './words.ts'

export interface GivenUser {
  user?: UserId | undefined
  problem?: string
  /** Whether `problem` describes a missing user ID. */
  isMissing?: boolean
}

/**
 * Reads the user of a command line. The line must contain one user ID, a list of users, or an action token (spec 4). `own` contains the
 * arguments without the user. If a flag, a list, or a token selects the user, `own` contains all arguments.
 */
export function readUser(
  command: Command,
  { given, operands }: Words,
  env: Environment,
): GivenUser & { own: readonly string[] } {
  const { user: need, takesToken, many } = command
  const flag = given['actionToken'] === undefined ? undefined : '--action-token'
  const token = tokenSource(command, given, env)
  const isList = many !== undefined && given['users'] !== undefined
  const isSelected = isList || isUserSelected(command, given, env)
  const [first] = operands
  const [next] = Object.values(command.args)
  // If the line has only one word and the next argument accepts this word, the word is the argument, not the user.
  const isOnlyValue = (text: string) => operands.length === 1 && knownValue(next, text) !== undefined
  const isFirstArgument =
    next && (isSelected || (first !== undefined && (next.isNeverUser?.(first) || isOnlyValue(first))))
  const argument = need === undefined || isFirstArgument ? undefined : first
  const own = argument === undefined ? operands : operands.slice(1)
  if (flag && !takesToken) return { own, problem: `${flag} is not supported here; use an API key` }
  const [externalId, userId] = [lastText(given['externalUserId']), lastText(given['userId'])]
  const ids = [argument, externalId, userId].filter((id) => id !== undefined)
  if (isList) return { own, ...checkList(ids, token) }
  if (need === undefined) return { own }
  const listFlag = many && listFlags.find(([key]) => given[key])
  if (listFlag) return { own, problem: explainListFlag(listFlag[1]) }
  if (ids.includes('')) return { own, problem: 'the user ID is empty' }
  if (token) {
    const problem = `${token} already identifies the user; remove the user ID or the action token`
    return ids.length === 0 ? { own } : { own, problem }
  }
  if (given['noExternalUserId']) {
    const problem = '--no-external-user-id cannot be used with an external user ID'
    return ids.length === 0 ? { own } : { own, problem }
  }
  if (ids.length > 1) return { own, problem: 'more than one user ID; pass exactly one' }
  return { own, ...chooseUser(need, argument ?? externalId, userId) }
}

/** The value of an argument that accepts only known values or a UUID. Undefined if the text is not such a value. */
export function knownValue(argument: Argument | undefined, text: string): string | undefined {
  const { parse = String, choices } = argument ?? {}
  const value = orUndefined(() => String(parse(text)))
  const isKnown = value !== undefined && (choices?.includes(value) ?? parse === uuid)
  return isKnown ? value : undefined
}

/** The flag or the variable of the action token. Undefined if the command uses no token, or if a flag passes a key. */
function tokenSource({ takesToken }: Command, given: Words['given'], env: Environment): string | undefined {
  if (!takesToken) return undefined
  if (given['actionToken'] !== undefined) return '--action-token'
  if (given['keyFile'] !== undefined || given['keyStdin'] !== undefined) return undefined
  return env['FACESCAN_ACTION_TOKEN'] ? 'FACESCAN_ACTION_TOKEN' : undefined
}

export function isUserSelected(command: Command, given: Words['given'], env: Environment): boolean {
  return tokenSource(command, given, env) !== undefined || userKeys.some((key) => given[key] !== undefined)
}

const userKeys = ['externalUserId', 'userId', 'noExternalUserId']

/** The error message if the user ID or a token is used together with a list, because the list already contains the users. */
function checkList(ids: readonly string[], token: string | undefined): GivenUser {
  if (token)
    return { problem: `${token} identifies one user and cannot be used with --users; use an API key` }
  return ids.length > 0 ? { problem: 'a user ID and --users cannot be used together' } : {}
}

/** Keys and names of flags that work only with a list of users (--users). */
const listFlags = [
  ['out', '--out'],
  ['errors', '--errors'],
  ['keep', '--keep'],
  ['skipInvalid', '--skip-invalid'],
] as const

function explainListFlag(long: string): string {
  const remark = long === '--out' ? ' (to select an output format, use --output)' : ''
  return `${long} needs --users FILE${remark}`
}

function chooseUser(
  need: Command['user'],
  externalId: string | undefined,
  userId: string | undefined,
): GivenUser {
  if (userId !== undefined && need === 'external')
    return { problem: '--user-id is not supported here; pass the external user ID' }
  if (userId !== undefined) return { user: { user_id: userId } }
  if (externalId !== undefined) return { user: { external_user_id: externalId } }
  const acceptsBoth = need === 'either' || need === 'token'
  const problem = acceptsBoth
    ? 'user ID is missing; pass the external user ID or --user-id'
    : 'external user ID is missing'
  return { problem, isMissing: true }
}

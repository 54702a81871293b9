import type { Environment } from '../base/io.ts'
import type { Command } from '../command/define-command.ts'
import { manyOptions } from '../command/many/options.ts'
import type { UserId } from '../command/user.ts'
import { lastText } from './command-line.ts'
import type { SortedWords } from './sort-words.ts'

export interface GivenUser {
  user?: UserId | undefined
  /** The problem with the user ID or the action token. */
  problem?: string
  /** Whether the problem is that the command line contains no user. */
  isMissing?: boolean
}

/** Reads the user of a command line: exactly one ID, unless a list contains the users or an action token implies the user (spec 4). */
export function readUser(command: Command, { given, operands }: SortedWords, env: Environment): GivenUser {
  const { user: need, hasUserArgument, takesToken, many } = command
  const flag = given['actionToken'] === undefined ? undefined : '--action-token'
  if (flag && !takesToken) return { problem: `${flag} is not supported here; use an API key` }
  const variable = env['FACESCAN_ACTION_TOKEN'] ? 'FACESCAN_ACTION_TOKEN' : undefined
  const token = takesToken ? (flag ?? variable) : undefined
  const argument = hasUserArgument ? operands[0] : undefined
  const [externalId, userId] = [lastText(given['externalUserId']), lastText(given['userId'])]
  const ids = [argument, externalId, userId].filter((id) => id !== undefined)
  if (many && given['users'] !== undefined) return checkList(ids, token)
  if (need === undefined) return {}
  const listFlag = many && (['out', 'errors', 'keep', 'skipInvalid'] as const).find((name) => given[name])
  if (listFlag) return { problem: explainListFlag(listFlag) }
  if (ids.includes('')) return { problem: 'the user ID is empty' }
  if (token) {
    const problem = `${token} already identifies the user; remove the user ID or the action token`
    return ids.length === 0 ? {} : { problem }
  }
  if (given['noExternalUserId']) {
    const problem = '--no-external-user-id cannot be used with an external user ID'
    return ids.length === 0 ? {} : { problem }
  }
  if (ids.length > 1) return { problem: 'more than one user ID; pass exactly one' }
  return chooseUser(need, argument ?? externalId, userId)
}

/** The list contains the users. */
function checkList(ids: readonly string[], token: string | undefined): GivenUser {
  if (token)
    return { problem: `${token} identifies one user and cannot be used with --users; use an API key` }
  return ids.length > 0 ? { problem: 'a user ID and --users cannot be used together' } : {}
}

function explainListFlag(name: keyof typeof manyOptions): string {
  const remark = name === 'out' ? ' (to select an output format, use --output)' : ''
  return `${manyOptions[name].long} needs --users FILE${remark}`
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

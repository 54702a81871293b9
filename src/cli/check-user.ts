import type { Environment } from '../base/io.ts'
import type { Command } from '../command/define-command.ts'
import { readUser, type UserId } from '../command/user.ts'
import { lastText } from './command-line.ts'
import type { SortedWords } from './sort-words.ts'

interface CheckedUser {
  user?: UserId | undefined
  problem?: string
  /** Whether the problem is that the command line contains no user. */
  isMissing?: boolean
}

/** Reads the user of a command line, and finds problems with the user ID and the action token. */
export function checkUser(
  command: Command,
  { given, operands }: Pick<SortedWords, 'given' | 'operands'>,
  env: Environment,
): CheckedUser {
  const { user: need, hasUserArgument, takesToken } = command
  const tokenGiven = given['actionToken'] !== undefined
  if (tokenGiven && !takesToken) {
    return { problem: '--action-token is not supported here; use an API key' }
  }
  if (command.many && given['users'] !== undefined) return checkList(command, { given, operands }, env)
  if (need === undefined) return {}
  const flag = command.many && ['out', 'errors', 'keep', 'skipInvalid'].find((name) => given[name])
  if (flag) {
    const name = flag.replace('I', '-i')
    const remark = flag === 'out' ? ' (to select an output format, use --output)' : ''
    return { problem: `--${name} needs --users FILE${remark}` }
  }
  const ids = {
    argument: hasUserArgument ? operands[0] : undefined,
    externalUserId: lastText(given['externalUserId']),
    userId: lastText(given['userId']),
    hasNoExternalId: given['externalUserId'] === false,
  }
  const { user, problem } = readUser(need, ids, takesToken ? tokenSource(tokenGiven, env) : undefined)
  if (problem === undefined) return { user }
  return { problem, isMissing: Object.values(ids).every((id) => typeof id !== 'string') }
}

/** With --users, the list contains the users. The command line and an action token must not identify another user. */
function checkList(
  { hasUserArgument, takesToken }: Command,
  { given, operands }: Pick<SortedWords, 'given' | 'operands'>,
  env: Environment,
): CheckedUser {
  const token = takesToken ? tokenSource(given['actionToken'] !== undefined, env) : undefined
  if (token)
    return { problem: `${token} identifies one user and cannot be used with --users; use an API key` }
  const isNamed = given['externalUserId'] ?? given['userId'] ?? (hasUserArgument && operands[0])
  return isNamed ? { problem: 'a user ID and --users cannot be used together' } : {}
}

function tokenSource(isGiven: boolean, env: Environment): string | undefined {
  if (isGiven) return '--action-token'
  return env['FACESCAN_ACTION_TOKEN'] ? 'FACESCAN_ACTION_TOKEN' : undefined
}

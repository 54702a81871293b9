import type { Environment } from '../base/io.ts'
import type { Command } from '../command/define-command.ts'
import { readUser, type UserId } from '../command/user.ts'
import { explainBareFlag } from './read-operands.ts'
import { lastText, type SortedWords } from './sorted-words.ts'

type Given = SortedWords['given']

/** Reads the user of a command line and adds problems with the user ID or the action token. */
export function checkUser(
  command: Command,
  { given, operands }: Pick<SortedWords, 'given' | 'operands'>,
  { env, problems }: { env: Environment; problems: string[] },
): UserId | undefined {
  const { user: need, hasUserArgument, takesToken } = command
  const tokenGiven = given['actionToken'] !== undefined
  if (tokenGiven && !takesToken) {
    problems.push('--action-token: the service takes an API key here, not an action token')
    return undefined
  }
  if (need === undefined) return undefined
  const ids = idsIn(given, hasUserArgument ? operands[0] : undefined)
  const { user, problem } = readUser(need, ids, takesToken ? tokenSource(tokenGiven, env) : undefined)
  const bareFlag = ids.argument === undefined ? undefined : explainBareFlag(command, given)
  if (problem !== undefined) problems.push([problem, bareFlag].filter(Boolean).join('. '))
  return user
}

function idsIn(given: Given, argument: string | undefined) {
  return {
    argument,
    externalUserId: lastText(given['externalUserId']),
    userId: lastText(given['userId']),
  }
}

function tokenSource(isGiven: boolean, env: Environment): string | undefined {
  if (isGiven) return '--action-token'
  return env['FACESCAN_ACTION_TOKEN'] ? 'FACESCAN_ACTION_TOKEN' : undefined
}

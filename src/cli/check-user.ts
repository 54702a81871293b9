import type { Environment } from '../base/io.ts'
import type { Command } from '../command/define-command.ts'
import { lastText, type SortedWords } from './sorted-words.ts'

type Given = SortedWords['given']

const both = '--external-user-id and --user-id'

/** Problems with the user and the action token of a command line. Exactly one id is required, unless a token implies the user (spec 4). */
export function checkUser({ user, takesToken }: Command, given: Given, env: Environment): string[] {
  const tokenGiven = given['actionToken'] !== undefined
  if (tokenGiven && !takesToken) {
    return ['--action-token: the service takes an API key here, not an action token']
  }
  if (user === undefined) return []
  const token = takesToken ? tokenSource(tokenGiven, env) : undefined
  const [external, internal] = [lastText(given['externalUserId']), lastText(given['userId'])]
  const count = [external, internal].filter((id) => id !== undefined).length
  if (external === '' || internal === '') return ['the user id is empty']
  if (token !== undefined) {
    return count === 0 ? [] : [`${token} implies its user: leave ${both} out, or leave the token out`]
  }
  if (count === 2) return [`${both} exclude each other: give exactly one`]
  if (user === 'external') return checkExternal(internal, count)
  return count === 1 ? [] : ['which user? Give --external-user-id ID or --user-id UUID']
}

function tokenSource(isGiven: boolean, env: Environment): string | undefined {
  if (isGiven) return '--action-token'
  return env['FACESCAN_ACTION_TOKEN'] ? 'FACESCAN_ACTION_TOKEN' : undefined
}

function checkExternal(internal: string | undefined, count: number): string[] {
  if (internal !== undefined) {
    return [
      '--user-id: the service takes only your own id here, and cannot tell it from its own: give --external-user-id',
    ]
  }
  return count === 1 ? [] : ['which user? Give --external-user-id ID']
}

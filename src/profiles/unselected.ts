import { ConfigurationError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'
import type { Effect } from '../contract/endpoint.ts'
import { sandboxProfile } from './profile.ts'
import type { Session } from './session.ts'

/**
 * Checks a command that uses the sandbox because nothing selects a profile or key. Without a terminal, a read causes a warning and a change
 * is refused, so that a scheduled job cannot write to the sandbox by mistake. On a terminal, a change is refused if another profile exists.
 */
export function checkUnselected(
  { unselected }: Pick<Session, 'unselected'>,
  effect: Effect,
  { stdin, stderr }: Pick<Io, 'stdin' | 'stderr'>,
): string | undefined {
  const hasTerminal = Boolean(stdin.isTTY || stderr.isTTY)
  if (unselected === undefined || (hasTerminal && (effect === 'read' || unselected.length === 0)))
    return undefined
  if (effect === 'read') return `no profile is selected; using the built-in sandbox (${sandboxProfile})`
  const others = unselected.length === 0 ? '' : `, or with the profile of a service: ${unselected.join(', ')}`
  throw new ConfigurationError('no profile or API key is selected for a command that changes data', {
    hint: `Nothing was changed. Re-run with --profile ${sandboxProfile} for the built-in sandbox${others}`,
  })
}

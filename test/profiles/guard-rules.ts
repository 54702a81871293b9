import type { Decision } from '../../src/profiles/guard.ts'
import type { Protection } from '../../src/profiles/settings.ts'

export interface GuardCase {
  profile: string | null
  protect: Protection
  change: 'read' | 'change' | 'import' | 'destroy'
  /** Whether the command can show a prompt. */
  interactive: boolean
  yes: boolean
  /** The value of `--confirm`. */
  word: 'none' | 'right' | 'wrong'
}

/** A case as text, for a test title. */
export function describeCase({ change, profile, protect, interactive, yes, word }: GuardCase): string {
  const device = interactive ? 'on a terminal' : 'in a script'
  const confirm =
    word === 'none' ? 'without --confirm' : `with a ${word === 'right' ? 'correct' : 'wrong'} --confirm`
  const place = profile ?? 'production without a profile'
  return `${change} in ${place} (${protect}), ${device}, ${yes ? 'with' : 'without'} --yes, ${confirm}`
}

/** The documented rules, independent of the code. The first matching rule applies. */
export function expectedDecision(one: GuardCase): Decision['do'] | 'refuse' {
  const { profile, protect, change, interactive, yes, word } = one
  const isProduction = !profile?.endsWith('-DEV')
  const rules: [boolean, Decision['do'] | 'refuse'][] = [
    [change === 'read', 'proceed'],
    [protect === 'read-only', 'refuse'],
    [word === 'wrong', 'refuse'],
    [word === 'right', 'proceed'],
    [protect === 'off' && change !== 'destroy', 'proceed'],
    [protect === 'off' && yes, 'proceed'],
    [yes && change === 'change' && !isProduction, 'proceed'],
    [!interactive, 'refuse'],
    [protect === 'off', 'agree'],
    [change === 'destroy' || change === 'import', 'type'],
  ]
  return rules.find(([applies]) => applies)?.[1] ?? 'agree'
}

export const words = ['none', 'right', 'wrong'] as const

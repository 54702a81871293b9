import { type ErrorCode, exitCodes } from '../base/errors.ts'
import type { Command } from './define-command.ts'
import type { ProgramSchema } from './program-schema.ts'

export function listExitCodes(): ProgramSchema['exit_codes'] {
  return Object.entries(exitCodes).map(([code, [exit_code, meaning]]) => ({ exit_code, code, meaning }))
}

/** Exit codes of every command. `network` is also the code for an exceeded --max-time, which every command accepts. */
const always = ['ok', 'internal', 'usage', 'network', 'configuration', 'interrupted', 'terminated'] as const

export const serviceFailures: readonly ErrorCode[] = [
  'unauthenticated',
  'not_found',
  'forbidden',
  'rejected',
  'rate_limited',
  'server',
]

export function exitCodesOf({ calls, localEffect, failures }: Command): number[] {
  const fromCalls: ErrorCode[] = calls.length === 0 ? [] : [...serviceFailures, 'refused']
  const fromChanges: ErrorCode[] = localEffect === 'read' ? [] : ['refused']
  const codes = new Set([...always, ...fromCalls, ...fromChanges, ...failures])
  return [...codes].map((code) => exitCodes[code][0]).sort((a, b) => a - b)
}

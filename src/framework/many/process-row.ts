import type { FacescanError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { toCommandResult } from '../command-result.ts'
import type { Context } from '../context.ts'
import type { Command } from '../define-command.ts'
import { assertSameUser, type UserId } from '../user.ts'
import { type ListedInput, type ManyInput, manyOptions } from './options.ts'
import type { ResumableFile } from './resumable-file.ts'
import type { RowFlags } from './row-flags.ts'

/** The parts of a command that are used for a list of users. */
export type ListedCommand = Pick<Command, 'user' | 'options' | 'many' | 'effect'> &
  Partial<Pick<Command, 'view' | 'check' | 'run'>>

export interface CheckedRun {
  command: ListedCommand
  input: ManyInput
  /** The flags that a row sets. Undefined if no flag can be set for a row. */
  flags: RowFlags | undefined
  /** Returns the input of the command for a row. */
  inputOf(item: ListItem): RowInput
}

type RowInput = ListedInput & Record<string, unknown>

/** Returns a function that creates the input of the command for a row. */
export function inputsOf(input: ManyInput, flags: RowFlags | undefined): (item: ListItem) => RowInput {
  const own = Object.fromEntries(Object.entries(input).filter(([key]) => !(key in manyOptions)))
  return (item) => {
    const { user, expectedUserId } = item
    const { kind, id } = user
    const named: UserId = kind === 'user_id' ? { user_id: id } : { external_user_id: id }
    return { ...own, ...flags?.valuesOf(item), user: named, expectedUserId }
  }
}

/** The error messages of the command for a row. */
export function findProblems(
  { terminals }: Context,
  { command: { user, check }, input, flags, inputOf }: CheckedRun,
  item: ListItem,
): string[] {
  if (item.user.kind === 'user_id' && user === 'external')
    return ['user_id is not supported here; use external_user_id']
  const found = flags?.problemsOf(item, input) ?? []
  const problems = found.length > 0 || !check ? found : check(inputOf(item))
  // If stderr is not a terminal, it is often a log file. A log must not contain personal data.
  return terminals.stderr.isTTY || !flags ? problems : flags.hideValues(problems, item)
}

interface Row {
  item: ListItem
  file: ResumableFile | undefined
  /** Notes about incomplete results, which are printed once. */
  cuts: Set<string>
  testAddress(): Promise<FacescanError | undefined>
}

/** Runs the command for one user. A view in its result is ignored, because all rows have the same columns. */
export async function processRow(
  ctx: Context,
  command: ListedCommand,
  input: RowInput,
  { item, file, cuts, testAddress }: Row,
): Promise<unknown> {
  const change = command.many?.change
  try {
    if (change && file) return await change.each(ctx, input, file.stepFor(item))
    const returned = await command.run?.(ctx, input)
    const { value, cut, error } = toCommandResult(returned)
    if (cut) cuts.add(cut)
    if (error) throw error
    const userId = value instanceof Object && 'user_id' in value ? value.user_id : undefined
    if (typeof userId === 'string') assertSameUser(userId, item.expectedUserId)
    return ctx.settings.jq === undefined ? value : await ctx.filter(value)
  } catch (error) {
    const { explainMissing } = await import('../explain-missing.ts')
    throw await explainMissing(error, ctx, command.user, input, testAddress)
  }
}

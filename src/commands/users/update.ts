import { commandResult } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { explainMissing } from '../../framework/explain-missing.ts'
import { flag } from '../../framework/options.ts'
import { namePlace, shownUser, type UserId } from '../../framework/user.ts'
import { nonEmpty, oneOf } from '../../framework/values.ts'
import type { Api } from '../../http/client.ts'
import { isForMachines } from '../../output/message.ts'
import { escapeControls, oneLine } from '../../output/text.ts'
import type { Terminal } from '../../output/view.ts'
import { requireField } from '../reach-user.ts'
import { fieldOptions, findIdProblems, idRule, toFields } from './fields.ts'
import { readUser } from './read-user.ts'
import { userView } from './view.ts'

/** The JSON fields that can be cleared, by their flags. */
const clearable = {
  'birth-date': 'birth_date',
  sex: 'sex',
  language: 'language',
  'unit-system': 'preferred_unit_system',
} as const
const clearableFlags = Object.keys(clearable) as (keyof typeof clearable)[]

function clearableField(text: string) {
  return Object.values(clearable).find((field) => field === text) ?? clearable[oneOf(clearableFlags)(text)]
}

export default defineCommand({
  user: 'either',
  output: 'users.update',
  effect: 'change',
  view: userView,
  options: {
    ...fieldOptions,
    newExternalUserId: flag('--new-external-user-id <id>', 'new external user ID', nonEmpty),
    ids: idRule,
    clear: flag('--clear <fields>', 'fields to clear', clearableField, {
      choices: clearableFlags,
      many: true,
    }),
  },
  description: 'Without flags, prompts for the fields. Omitted fields stay unchanged.',
  needsFlag: 'nothing to change; pass at least one field',
  examples: [
    'facescan users update 4711 --language nl',
    'facescan users update 4711 --clear birth-date --dry-run',
  ],
  prompts: {
    user: {
      check: async (ctx, user) => {
        await readExisting(ctx, user)
      },
      current: async (ctx, user) => {
        const known = await readExisting(ctx, user)
        const { birth_date: birthDate, sex, language, preferred_unit_system: unitSystem } = known ?? {}
        return { birthDate, sex, language, unitSystem }
      },
    },
  },
  check(options) {
    const fields = toFields(options)
    const both = options.clear.filter((name) => name in fields)
    return [
      ...(both.length > 0 ? [`${both.join(', ')}: cannot be both set and cleared`] : []),
      ...(options.ids && !options.newExternalUserId ? ['--ids needs --new-external-user-id'] : []),
      ...findIdProblems(options.newExternalUserId, options.ids),
    ]
  },
  async run(ctx, { user, ...options }) {
    const body = {
      ...toFields(options),
      ...Object.fromEntries(options.clear.map((name) => [name, null])),
      ...(options.newExternalUserId !== undefined && { external_user_id: options.newExternalUserId }),
    }
    const api = await ctx.api()
    const before = await readUser(api, user)
    const user_id = 'user_id' in user ? user.user_id : requireField(before, 'user_id')
    const terminal = ctx.terminals.stderr
    // The service stores only a hash of the external user ID and does not return it, so it is added here.
    const known: Readonly<Record<string, unknown>> = { ...before, external_user_id: undefined, ...user }
    const isUnchanged =
      before !== undefined && Object.entries(body).every(([name, value]) => show(known[name]) === show(value))
    if (ctx.flags.dryRun) ctx.note(`would update user ${shownUser(user)} in ${await namePlace(ctx)}`)
    // If stderr is not a terminal, it is often a log file. A log must not contain personal data.
    if (before && (ctx.flags.dryRun || terminal.isTTY) && !ctx.flags.quiet) {
      if (!ctx.flags.dryRun) await refuseEarly(ctx, api, user)
      const text = describeChanges(known, body, terminal).join('\n')
      if (isForMachines(ctx.settings.format, ctx.io.stderr)) ctx.note(text)
      // On a terminal, an empty line separates this text from the record below.
      else ctx.io.stderr.write(`${text}\n${ctx.flags.dryRun ? '' : '\n'}`)
    }
    const updated = await api.users.update({ params: { user_id }, body })
    return commandResult(updated, {
      done: `Updated user ${shownUser(user)}${isUnchanged ? ' (every value was unchanged)' : ''}`,
    })
  },
})

/** Reads the user before the prompts for the fields, so that an unknown user is reported before anything is typed. */
async function readExisting(ctx: Context, user: UserId) {
  return readUser(await ctx.api(), user).catch(async (error: unknown) => {
    throw await explainMissing(error, ctx, 'either', { user })
  })
}

/** Throws if the update will be refused. Called before values of the user are shown. */
async function refuseEarly(ctx: Context, api: Api, user: UserId): Promise<void> {
  const { changeBy, decideChange } = await import('../../profiles/guard.ts')
  const { yes, confirm } = ctx.flags
  decideChange(changeBy(api.contract.users.update, shownUser(user)), await ctx.session(), {
    interactive: ctx.ask.possible,
    yes,
    confirm,
  })
}

/** One line for each field, with the old and the new value. */
function describeChanges(
  before: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  terminal: Terminal,
): string[] {
  const titles = new Map(userView.columns.map(({ key, title }) => [key, title]))
  const titleOf = (name: string) => titles.get(name) ?? 'External user ID'
  const width = Math.max(...Object.keys(body).map((name) => titleOf(name).length))
  return Object.entries(body).map(([name, value]) => {
    const label = `  ${titleOf(name).padEnd(width)}  `
    if (name === 'external_user_id' && before[name] === undefined) return `${label}replaced`
    const [from, to] = [show(before[name]), show(value)]
    return (
      label +
      (from === to ? terminal.dim(`${to} (unchanged)`) : `${terminal.dim(from)} → ${terminal.green(to)}`)
    )
  })
}

function show(value: unknown): string {
  return value === undefined || value === null ? '(none)' : oneLine(escapeControls(String(value)))
}

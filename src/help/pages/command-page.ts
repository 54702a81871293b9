import { orList } from '../../base/text.ts'
import type { Command } from '../../framework/define-command.ts'
import { globalOptions } from '../../framework/global-flags.ts'
import { manyOptions } from '../../framework/many/options.ts'
import { userValueOptions } from '../../framework/many/value-options.ts'
import type { Flag } from '../../framework/options.ts'
import type { FlagFacts } from '../../framework/program-schema.ts'
import { argumentsOf, type UserNeed } from '../../framework/user.ts'
import type { HelpPage, HelpRow, HelpSection } from '../../output/page.ts'
import type { LoadedCommand } from '../../routes/routes.ts'
import { describeFlags } from '../describe.ts'

const byUserId: HelpRow = ['--user-id <uuid>', 'user ID (or `--external-user-id <id>`)']

/** Rows for the flags that select the user, for commands with several such flags. */
const userRows: Readonly<Partial<Record<UserNeed, readonly HelpRow[]>>> = {
  either: [byUserId],
  token: [byUserId, ['--action-token <file>', 'file with an action token, instead of a user ID']],
}

/** The text about the effect of a command. `any` is for a command that can call any endpoint. */
const effects: Readonly<Record<Command['effect'] | 'any', string | undefined>> = {
  read: undefined,
  change: 'Changes data. Protected profiles need confirmation. `--dry-run` changes nothing.',
  destroy: 'Deletes data. Must be confirmed at the prompt or with `--confirm`. `--dry-run` changes nothing.',
  any: 'Can change or delete data. A deletion must be confirmed at the prompt or with `--confirm`. `--dry-run` changes nothing.',
}

const userFlags: ReadonlySet<string> = new Set(['--external-user-id', '--user-id'])

/** Flags that few imports need. The topic `import` describes them. */
const rareImportFlags: ReadonlySet<string> = new Set([
  ...['--batch-size', '--on-ambiguous', '--page-parameter', '--verbose'],
  ...['--again', '--resend-unknown', '--repeat-result'],
])

export function listRareImportFlags({ options, failures }: Command): FlagFacts[] {
  if (!failures.includes('import_stopped')) return []
  return describeFlags(options).filter(({ long }) => rareImportFlags.has(long))
}
const { users, keep, out, map, skipInvalid, rate } = manyOptions
const { confirm } = globalOptions
const manyFlags: ReadonlySet<Flag> = new Set(Object.values({ ...manyOptions, ...userValueOptions }))

/** A row that refers to a help topic: its most used flags, and its name. */
function groupRow(title: string, flags: readonly string[], topic: string): HelpRow[] {
  const names = flags.map((flag) => `\`${flag}\``).join(', ')
  return flags.length === 0 ? [] : [[title, `${names}, … (\`facescan help ${topic}\`)`]]
}

/** The help of one command: description, examples, usage, and the flags of the command. If `isManual` is true, the page lists all flags. */
export function commandPage({ name, summary, command }: LoadedCommand, isManual = false): HelpPage {
  const options = Object.values(command.options)
  const listed = isManual ? [] : options.filter((flag) => manyFlags.has(flag))
  const rare = isManual ? [] : listRareImportFlags(command)
  const byUser = isManual ? undefined : command.user && userRows[command.user]
  const isOwn = ({ long }: FlagFacts) => byUser === undefined || !userFlags.has(long)
  const own = describeFlags(command.options).filter(
    (flag) => isOwn(flag) && ![...listed, ...rare].some(({ long }) => long === flag.long),
  )
  const usual = [users, keep, out, map, skipInvalid, rate].filter((flag) => listed.includes(flag))
  const effect = command.calls === 'any' ? 'any' : command.effect
  // A deletion always needs confirmation, so its help lists --confirm.
  const confirmation = effect === 'destroy' ? describeFlags({ confirm }) : []
  const others: HelpRow[] = [
    ...confirmation.map(flagRow),
    ...groupRow('Import flags', rare.map(({ long }) => long).slice(-1), 'import'),
    ...groupRow(
      command.many ? 'Many users' : 'File flags',
      usual.slice(0, command.many ? 3 : 2).map(({ long }) => long),
      'many-users',
    ),
    ...groupRow('Global flags', ['--profile', '--json'], 'flags'),
  ]
  const args = Object.values(command.args).map(
    ({ pattern, summary, choices }): HelpRow => [
      pattern,
      choices ? `${summary} (${orList(choices)})` : summary,
    ],
  )
  const sections: HelpSection[] = [
    { text: [command.description, effects[effect]].filter(Boolean).join(' ') },
    { heading: 'Examples', examples: command.examples },
    { heading: 'Usage', rows: [[usage(name, command), ''], ...args] },
    { heading: 'Flags', rows: [...own.map(flagRow), ...(byUser ?? []), ...others] },
  ]
  const filled = sections.filter(({ text, examples, rows }) => text || examples || rows?.length)
  return { name: `facescan ${name}`, summary, sections: filled }
}

/** The usage line, such as `facescan answers save [external-user-id] <lookup-key=value...> --timezone <zone> [flags]`. */
function usage(name: string, command: Command): string {
  const args = argumentsOf(command).map(({ pattern }) => pattern)
  const required = describeFlags(command.options)
    .filter((flag) => flag.required)
    .map(flagTerm)
  return ['facescan', name, ...args, ...required, '[flags]'].join(' ')
}

export function flagRow(flag: FlagFacts): HelpRow {
  const { summary, remark, choices, required, many } = flag
  const remarks = [
    ...(required ? ['required'] : []),
    ...(choices ? [orList(choices)] : []),
    ...(flag.default === undefined ? [] : [`default ${flag.default}`]),
    ...(many ? [choices ? 'comma-separated' : 'repeatable'] : []),
    ...(remark === undefined ? [] : [remark]),
  ]
  return [flagTerm(flag), `${summary}${remarks.length > 0 ? ` (${remarks.join('; ')})` : ''}`]
}

/** A flag with its value, such as `-o, --output <format>`. An optional value follows an equals sign. */
function flagTerm({ short, long, value }: FlagFacts): string {
  const name = short ? `${short}, ${long}` : long
  if (!value) return name
  return value.optional ? `${name}[=<${value.name}>]` : `${name} <${value.name}>`
}

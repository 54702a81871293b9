import { orList } from '../../base/text.ts'
import { type Command, isLocalChange } from '../../framework/define-command.ts'
import { manyOptions, userValueOptions } from '../../framework/many/options.ts'
import { type Argument, describeFlags, type Flag } from '../../framework/options.ts'
import type { FlagFacts } from '../../framework/program-schema.ts'
import { argumentsOf, type UserNeed, userArgument } from '../../framework/user.ts'
import type { HelpPage, HelpRow, HelpSection } from '../../output/page.ts'
import type { LoadedCommand } from '../../routes/routes.ts'

/** Commands with only one flag for the user list it with the other flags. */
const userHeadings: Readonly<Partial<Record<UserNeed, string>>> = {
  either: 'User (use one)',
  token: 'User (use one flag, or an action token)',
}

const effects: Readonly<Record<Command['effect'], string | undefined>> = {
  read: undefined,
  change: 'Changes data. A protected profile asks first. `--dry-run` shows the request.',
  destroy:
    'Deletes data. Must be confirmed at the prompt or with `--confirm`. `--dry-run` shows the request.',
}

/** For a command that can call any endpoint. */
const anyEffect =
  'Can change or delete data. A deletion must be confirmed at the prompt or with `--confirm`. `--dry-run` shows the request.'

const userFlags: ReadonlySet<string> = new Set(['--external-user-id', '--user-id'])
const manyFlags: ReadonlySet<Flag> = new Set(Object.values({ ...manyOptions, ...userValueOptions }))

function globalFlags(command: Command): string {
  const flags = ['`--profile <profile>`', '`--json`', ...(isLocalChange(command) ? [] : ['`--dry-run`'])]
  return `Global flags: ${flags.join(', ')} (all: \`facescan help flags\`)`
}

/** The help of one command: description, examples, usage, and the command's own flags. */
export function commandPage({ name, summary, command }: LoadedCommand): HelpPage {
  const readsList = Object.values(command.options).includes(manyOptions.errors)
  const describe = (isForMany: boolean) => {
    const options = Object.entries(command.options)
    const isShown = ([, flag]: [string, Flag]) => (readsList && manyFlags.has(flag)) === isForMany
    return describeFlags(Object.fromEntries(options.filter(isShown)))
  }
  const [flags, forMany] = [describe(false), describe(true)]
  const heading = command.user && userHeadings[command.user]
  const ids = heading === undefined ? [] : flags.filter(({ long }) => userFlags.has(long))
  const own = flags.filter((flag) => !ids.includes(flag))
  const sections: HelpSection[] = [
    { text: command.description },
    { heading: 'Examples', examples: command.examples },
    { heading: 'Usage', rows: [[usage(name, command), '']] },
    { heading: 'Arguments', rows: argumentRows(command) },
    { heading, rows: heading === undefined ? [] : [argumentRow(userArgument), ...ids.map(flagRow)] },
    { heading: 'Flags', rows: own.map(flagRow) },
    { text: command.calls === 'any' ? anyEffect : effects[command.effect] },
    { heading: 'For many users (details: facescan help many-users)', text: inShort(forMany) },
    { text: globalFlags(command) },
  ]
  const filled = sections.filter(({ text, examples, rows }) => text || examples || rows?.length)
  return { name: `facescan ${name}`, summary, sections: filled }
}

function inShort(flags: readonly FlagFacts[]): string {
  return flags.map((flag) => `\`${flagTerm(flag)}\``).join(', ')
}

/** `facescan answers save [external-user-id] <lookup-key=value...> --timezone <zone> [flags]` */
function usage(name: string, command: Command): string {
  const args = argumentsOf(command).map(({ pattern }) => pattern)
  const required = describeFlags(command.options)
    .filter((flag) => flag.required)
    .map(flagTerm)
  return ['facescan', name, ...args, ...required, '[flags]'].join(' ')
}

function argumentRows(command: Command): HelpRow[] {
  return Object.values(command.args).map(argumentRow)
}

function argumentRow({ pattern, summary, choices }: Argument): HelpRow {
  return [pattern, choices ? `${summary} (${orList(choices)})` : summary]
}

export function flagRow(flag: FlagFacts): HelpRow {
  const { summary, remark, choices, required, many } = flag
  const remarks = [
    ...(required ? ['required'] : []),
    ...(choices ? [orList(choices)] : []),
    ...(flag.default === undefined ? [] : [`default ${flag.default}`]),
    ...(many ? [choices ? 'separate multiple values with commas' : 'repeatable'] : []),
    ...(remark === undefined ? [] : [remark]),
  ]
  return [flagTerm(flag), `${summary}${remarks.length > 0 ? ` (${remarks.join('; ')})` : ''}`]
}

/** `-o, --output <format>`. An optional value must follow an equals sign. */
function flagTerm({ short, long, value }: FlagFacts): string {
  const name = short ? `${short}, ${long}` : long
  if (!value) return name
  return value.optional ? `${name}[=<${value.name}>]` : `${name} <${value.name}>`
}

import { orList } from '../../base/text.ts'
import { type Command, isLocalChange } from '../../framework/define-command.ts'
import { manyOptions, userValueOptions } from '../../framework/many/options.ts'
import { type Argument, describeFlags, type Flag } from '../../framework/options.ts'
import type { FlagFacts } from '../../framework/program-schema.ts'
import { argumentsOf, type UserNeed } from '../../framework/user.ts'
import type { HelpPage, HelpRow, HelpSection } from '../../output/page.ts'
import type { LoadedCommand } from '../../routes/routes.ts'

/** Headings for flags that select the user. Commands with only one such flag list it with their own flags. */
const userTexts: Readonly<Partial<Record<UserNeed, string>>> = {
  either: '[external-user-id], `--external-user-id <id>`, or `--user-id <uuid>`',
  token:
    '[external-user-id], `--external-user-id <id>`, `--user-id <uuid>`, or `--action-token <file>` without a user',
}

const effects: Readonly<Record<Command['effect'], string | undefined>> = {
  read: undefined,
  change: 'Changes data. A profile with protection asks first. `--dry-run` shows the request.',
  destroy:
    'Deletes data. Must be confirmed at the prompt or with `--confirm`. `--dry-run` shows the request.',
}

/** Text for a command that can call any endpoint. */
const anyEffect =
  'Can change or delete data. A deletion must be confirmed at the prompt or with `--confirm`. `--dry-run` shows the request.'

const userFlags: ReadonlySet<string> = new Set(['--external-user-id', '--user-id'])
const { users, keep, out, map, skipInvalid, rate } = manyOptions
const manyFlags: ReadonlySet<Flag> = new Set(Object.values({ ...manyOptions, ...userValueOptions }))

/** A row for the flags of a help topic: the most used flags, and the name of the topic. */
function groupRow(title: string, flags: readonly string[], topic: string): HelpRow[] {
  const names = flags.map((flag) => `\`${flag}\``).join(', ')
  return flags.length === 0 ? [] : [[title, `${names} (all: facescan help ${topic})`]]
}

/** The help of one command: description, examples, usage, and flags of the command. The manual lists all flags. */
export function commandPage({ name, summary, command }: LoadedCommand, isManual = false): HelpPage {
  const options = Object.values(command.options)
  const listed = isManual ? [] : options.filter((flag) => manyFlags.has(flag))
  const userText = isManual ? undefined : command.user && userTexts[command.user]
  const isOwn = ({ long }: FlagFacts) => userText === undefined || !userFlags.has(long)
  const own = describeFlags(command.options).filter(
    (flag) => isOwn(flag) && !listed.some(({ long }) => long === flag.long),
  )
  const usual = [users, keep, out, map, skipInvalid, rate].filter((flag) => listed.includes(flag))
  const globals = ['--profile', '--json', ...(isLocalChange(command) ? [] : ['--dry-run'])]
  const others: HelpRow[] = [
    ...(userText === undefined ? [] : [['User', userText] as const]),
    ...groupRow(
      command.many ? 'Many users' : 'File and rate',
      usual.slice(0, 3).map(({ long }) => long),
      'many-users',
    ),
    ...groupRow('Global flags', globals, 'flags'),
  ]
  const sections: HelpSection[] = [
    { text: command.description },
    { heading: 'Examples', examples: command.examples },
    { heading: 'Usage', rows: [[usage(name, command), ''], ...Object.values(command.args).map(argumentRow)] },
    { heading: 'Flags', rows: own.map(flagRow) },
    others.length === 1 ? { text: others[0]?.join(': ') } : { heading: 'Other flags', rows: others },
    { text: command.calls === 'any' ? anyEffect : effects[command.effect] },
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

/** A flag with its value, such as `-o, --output <format>`. An optional value follows an equals sign. */
function flagTerm({ short, long, value }: FlagFacts): string {
  const name = short ? `${short}, ${long}` : long
  if (!value) return name
  return value.optional ? `${name}[=<${value.name}>]` : `${name} <${value.name}>`
}

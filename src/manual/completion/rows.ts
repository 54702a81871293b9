import type { ArgumentFacts, FlagFacts } from '../../command/program-schema.ts'
import { allCommands, type Surface, type SurfaceCommand } from '../../command/surface.ts'

/** The path of a row that applies to every command. */
const everywhere = '*'

/** The help and version flags are not options of a command. */
const otherFlags = ['--help -h', '--version -V']

/**
 * Everything that can be completed, as lines of five columns separated by tabs. The scripts of all shells contain these lines.
 *   word      path, next word, -, summary
 *   flag      path or `*`, names separated by a space, values, summary
 *   fields    path, `--json`, the JSON fields of the command
 *   argument  path, position, values
 * Values are words separated by spaces, `@files`, `@directories`, or `@profiles`; `-` if the flag has no value, and `?` if
 * the values are unknown. `=` before the values: the value is optional. `+`: several values, separated by commas.
 */
export function completionRows(surface: Surface): string[] {
  const rows = [
    ...wordRows(surface),
    ...allCommands(surface).flatMap(commandRows),
    ...surface.globalFlags.map((flag) => flagRow(everywhere, flag)),
    ...otherFlags.map((names) => ['flag', everywhere, names, '-', '']),
  ]
  return rows.map((columns) => columns.join('\t'))
}

function wordRows({ groups }: Surface): string[][] {
  return groups.flatMap(({ nouns }) =>
    nouns.flatMap(({ name, summary, single, commands }) => [
      ['word', '', name, '-', summary],
      ...(single
        ? []
        : commands.map((command) => ['word', ...command.name.split(' '), '-', command.summary])),
    ]),
  )
}

function commandRows(command: SurfaceCommand): string[][] {
  const { name, flags, fields } = command
  return [
    ...flags.map((flag) => flagRow(name, flag)),
    ...(fields.length > 0 ? [['fields', name, '--json', `=+${fields.join(' ')}`]] : []),
    ...command.arguments.map((argument, index) => ['argument', name, String(index + 1), valuesOf(argument)]),
  ]
}

function flagRow(path: string, flag: FlagFacts): string[] {
  const { long, short, summary, value, many, choices } = flag
  const names = short ? `${long} ${short}` : long
  const prefix = (value?.optional ? '=' : '') + (many ? '+' : '')
  return ['flag', path, names, value ? prefix + valuesOf({ name: value.name, choices }) : '-', summary]
}

/** The placeholders `<file>`, `<directory>`, and `<profile>` mean the same everywhere. */
function valuesOf({
  name,
  choices,
}: Pick<ArgumentFacts, 'name'> & { choices?: readonly string[] | undefined }) {
  if (choices) return choices.join(' ')
  return ['file', 'directory', 'profile'].includes(name) ? `@${name.replace(/y$/, 'ie')}s` : '?'
}

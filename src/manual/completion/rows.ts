import type { Surface, SurfaceCommand } from '../../command/manual.ts'
import type { FlagFacts } from '../../command/program-schema.ts'

type Row = readonly [path: string, slot: string, candidates: string, summary: string]

/** The help and version flags are not options of a command. */
const otherFlags = ['--help', '-h', '--version', '-V']

/**
 * Everything that can be completed, as lines of four columns separated by tabs. The scripts of all shells contain these lines.
 *   path        words of a command, or `*` for all commands
 *   slot        position of an argument, `-` for flags, or the flag before a value (`--chart=` if the value is optional)
 *   candidates  separated by spaces, or `@files`, `@directories`, or `@profiles`; empty if they are unknown
 *   summary     for values: `,` if several values can be separated by commas
 */
export function completionRows(surface: Surface): string[] {
  const words = wordRows(surface)
  const rows = [
    ...words,
    ...words.map(([path, ...rest]) => [`help ${path}`.trim(), ...rest]),
    ...surface.commands.flatMap(commandRows),
    ...surface.globalFlags.flatMap((flag) => flagRows('*', flag)),
    ...otherFlags.map((name) => ['*', '-', name, '']),
  ]
  return rows.map((columns) => columns.join('\t'))
}

function wordRows({ nouns }: Surface): Row[] {
  return nouns.flatMap(({ name, summary, single, commands }) => [
    ['', '1', name, summary],
    ...(single
      ? []
      : commands.map((verb): Row => [name, '1', verb.name.slice(name.length + 1), verb.summary])),
  ])
}

function commandRows({ name, flags, fields, arguments: args }: SurfaceCommand): Row[] {
  return [
    ...flags.flatMap((flag) => flagRows(name, flag)),
    ...(fields.length > 0 ? [[name, '--json=', fields.join(' '), ','] as const] : []),
    ...args.map((argument, index): Row => [name, String(index + 1), candidatesOf(argument), '']),
  ]
}

function flagRows(path: string, { long, short, summary, value, many, choices }: FlagFacts): Row[] {
  return [long, ...(short ? [short] : [])].flatMap((name) => {
    const flag: Row = [path, '-', name, summary]
    if (!value) return [flag]
    const candidates = candidatesOf({ name: value.name, choices })
    return [flag, [path, value.optional ? `${name}=` : name, candidates, many ? ',' : '']]
  })
}

/** The placeholders `<file>`, `<directory>`, and `<profile>` mean the same everywhere. */
function candidatesOf({ name, choices }: { name: string; choices?: readonly string[] | undefined }): string {
  if (choices) return choices.join(' ')
  return ['file', 'directory', 'profile'].includes(name) ? `@${name.replace(/y$/, 'ie')}s` : ''
}

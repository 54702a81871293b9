import { readPackageFile } from '../../base/process.ts'
import { quote } from '../../base/text.ts'
import { lookupKeys } from '../../contract/values.ts'
import { globalOptions, replacingOptions } from '../../framework/global-flags.ts'
import type { FlagFacts } from '../../framework/program-schema.ts'
import { installLines, type Shell } from '../../framework/shells.ts'
import { machineColumns } from '../../output/cell.ts'
import { type LoadedCommand, loadCommands, nouns } from '../../routes/routes.ts'
import { describeArgument, describeFlags } from '../describe.ts'

/** The completion script for a shell. Works only in a checkout, because the package does not contain the templates. */
export async function completionScript(shell: Shell): Promise<string> {
  const rows = (await completionRows()).join('\n')
  const read = (name: string) => readPackageFile(`src/help/completion/${name}`)
  const values: Readonly<Record<string, string>> = {
    install: installLines[shell],
    rows: shell === 'powershell' ? rows : quote(rows),
    awk: quote(read('complete.awk')),
  }
  return read(`template.${shell}`).replace(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '')
}

type CompletionRow = readonly [path: string, slot: string, candidates: string, summary: string]

/**
 * Everything that can be completed, as lines of four columns with tabs between them. The scripts of all shells contain these lines.
 *   path        words of a command, or `*` for all commands
 *   slot        position of an argument (`2+`: this and later positions), `-` for flags (`-+` if the flag can be repeated), or
 *               the flag before a value (`--chart=` if the value is optional)
 *   candidates  words with spaces between them, or a name from `placeholders`; empty if they are unknown
 *   summary     for values: `,` if several values can be passed with commas between them
 */
async function completionRows(): Promise<string[]> {
  const words = wordRows()
  const commands = await loadCommands()
  const rows = [
    ...words,
    ...words.map(([path, ...rest]) => [`help ${path}`.trim(), ...rest]),
    ...commands.flatMap(commandRows),
    ...describeFlags({ ...globalOptions, ...replacingOptions }).flatMap((flag) => flagRows('*', flag)),
  ]
  return [...new Set(rows.map((columns) => columns.join('\t')))]
}

function wordRows(): CompletionRow[] {
  return Object.entries(nouns).flatMap(([noun, node]) => {
    const verbs = 'verbs' in node ? Object.entries(node.verbs) : []
    return [
      ['', '1', noun, node.summary],
      ...verbs.map(([verb, { summary }]): CompletionRow => [noun, '1', verb, summary]),
    ]
  })
}

function commandRows({ name, command }: LoadedCommand): CompletionRow[] {
  const { view } = command
  const fields = 'columns' in view ? machineColumns(view.columns).map(({ key }) => key) : []
  const args = Object.values(command.args).map(describeArgument)
  // The user can be an argument or a flag, so the remaining arguments have two possible positions.
  const shifts = command.user ? [0, 1] : [0]
  return [
    ...describeFlags(command.options).flatMap((flag) => flagRows(name, flag)),
    ...(fields.length > 0 ? [[name, '--json=', fields.join(' '), ','] as const] : []),
    ...args.flatMap((argument, index) =>
      shifts.map((shift): CompletionRow => {
        // An argument that can be repeated accepts its own position and all later positions (`2+`).
        const slot = argument.many ? `${index + 1}+` : String(index + 1 + shift)
        return [name, slot, candidatesOf(argument), '']
      }),
    ),
  ]
}

function flagRows(path: string, { long, short, summary, value, many, choices }: FlagFacts): CompletionRow[] {
  const names = short ? [long, short] : [long]
  const flag: CompletionRow = [path, many ? '-+' : '-', names.join(' '), summary]
  if (!value) return [flag]
  const candidates = candidatesOf({ name: value.name, choices })
  const slot = (name: string) => (value.optional ? `${name}=` : name)
  return [flag, ...names.map((name): CompletionRow => [path, slot(name), candidates, many ? ',' : ''])]
}

/** Candidates for placeholders with one meaning in all commands. The scripts replace a word such as `@files` with candidates. */
const placeholders: Readonly<Record<string, string>> = {
  file: '@files',
  directory: '@directories',
  profile: '@profiles',
  import: '@imports',
  zone: '@zones',
  'lookup-key=value': lookupKeys.map((key) => `${key}=`).join(' '),
}

function candidatesOf({ name, choices }: { name: string; choices?: readonly string[] | undefined }): string {
  return choices ? choices.join(' ') : (placeholders[name] ?? '')
}

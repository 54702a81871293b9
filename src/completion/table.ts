import type { ArgumentFacts, FlagFacts } from '../surface/flag.ts'
import { allCommands, type Surface, type SurfaceCommand } from '../surface/surface.ts'

/** How the value of a flag or an argument is completed; `none` where only the person knows it. */
export type Values =
  | { kind: 'words'; words: readonly string[]; many: boolean }
  | { kind: 'files' | 'directories' | 'profiles' | 'none' }

export interface CompletedFlag {
  /** Long first, then the short one where there is one. */
  names: readonly string[]
  summary: string
  /** Absent for a flag that is on or off, and for one whose value is optional. */
  values?: Values
}

/** What a shell needs to know, by the words typed so far: `''`, `users`, `users create`. */
export interface CompletionTable {
  words: readonly { path: string; next: readonly { word: string; summary: string }[] }[]
  commands: readonly { path: string; flags: readonly CompletedFlag[]; arguments: readonly Values[] }[]
  globalFlags: readonly CompletedFlag[]
}

const help: CompletedFlag = { names: ['--help', '-h'], summary: 'show help' }
const version: CompletedFlag = { names: ['--version', '-V'], summary: 'show the version' }

export function completionTable(surface: Surface): CompletionTable {
  const nouns = surface.groups.flatMap((group) => group.nouns)
  const branches = nouns.filter(({ single }) => !single)
  return {
    words: [
      { path: '', next: nouns.map(({ name, summary }) => ({ word: name, summary })) },
      ...branches.map(({ name, commands }) => ({
        path: name,
        next: commands.map((command) => ({
          word: command.name.slice(name.length + 1),
          summary: command.summary,
        })),
      })),
    ],
    commands: allCommands(surface).map((command) => ({
      path: command.name,
      flags: command.flags.map(toFlag),
      arguments:
        command.name === 'help' ? [helpTopics(command, nouns)] : command.arguments.map(valuesOfArgument),
    })),
    globalFlags: [...surface.globalFlags.map(toFlag), help, version],
  }
}

/** Help takes the words of a command as well as a topic. */
function helpTopics({ arguments: [topic] }: SurfaceCommand, nouns: readonly { name: string }[]): Values {
  return { kind: 'words', words: [...(topic?.choices ?? []), ...nouns.map(({ name }) => name)], many: false }
}

function toFlag({ long, short, summary, value, choices, many }: FlagFacts): CompletedFlag {
  return {
    names: short ? [long, short] : [long],
    summary,
    ...(value && !value.optional && { values: valuesOf(value.name, choices, many) }),
  }
}

function valuesOfArgument({ name, choices }: ArgumentFacts): Values {
  return valuesOf(name, choices, false)
}

/** The placeholder says what can be offered: `<file>`, `<directory>` and `<profile>` mean the same everywhere. */
function valuesOf(placeholder: string, choices: readonly string[] | undefined, many: boolean): Values {
  if (choices) return { kind: 'words', words: choices, many }
  if (placeholder === 'file') return { kind: 'files' }
  if (placeholder === 'directory') return { kind: 'directories' }
  return { kind: placeholder === 'profile' ? 'profiles' : 'none' }
}

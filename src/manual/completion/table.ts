import type { ArgumentFacts, FlagFacts } from '../../command/flag-facts.ts'
import { allCommands, type Surface } from '../../command/surface.ts'

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

const helpFlag: CompletedFlag = { names: ['--help', '-h'], summary: 'show help' }
const versionFlag: CompletedFlag = { names: ['--version', '-V'], summary: 'show the version' }

export function completionTable(surface: Surface): CompletionTable {
  const commands = allCommands(surface)
  const words = commandWords(surface)
  const help = commands.find(({ name }) => name === 'help')
  return {
    words: [...words, ...helpWords(words, help?.arguments[0]?.choices)],
    commands: commands.map((command) => ({
      path: command.name,
      flags: command.flags.map(toFlag),
      arguments: command === help ? [] : command.arguments.map(valuesOfArgument),
    })),
    globalFlags: [...surface.globalFlags.map(toFlag), helpFlag, versionFlag],
  }
}

function commandWords(surface: Surface): CompletionTable['words'] {
  const nouns = surface.groups.flatMap((group) => group.nouns)
  const branches = nouns.filter(({ single }) => !single)
  return [
    { path: '', next: nouns.map(({ name, summary }) => ({ word: name, summary })) },
    ...branches.map(({ name, commands }) => ({
      path: name,
      next: commands.map((command) => ({
        word: command.name.slice(name.length + 1),
        summary: command.summary,
      })),
    })),
  ]
}

/** Help takes the words of a command as well as a topic, which may be called as a noun is. */
function helpWords(
  words: CompletionTable['words'],
  topics: readonly string[] = [],
): CompletionTable['words'] {
  return words.map(({ path, next }) => {
    if (path !== '') return { path: `help ${path}`, next }
    const others = topics.filter((topic) => next.every(({ word }) => word !== topic))
    return { path: 'help', next: [...others.map((word) => ({ word, summary: 'a topic' })), ...next] }
  })
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

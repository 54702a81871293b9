import { quote } from '../../base/text/shell-quote.ts'
import { banner } from '../../command/shells.ts'
import type { CompletedFlag, CompletionTable, Values } from './table.ts'

/** fish takes no more than the first 60 characters or so of a description anyway. */
function line(condition: string, rest: string, summary: string): string {
  return `complete -c facescan ${condition} ${rest} -d ${quote(summary)}`
}

function offer(values: Values): string {
  if (values.kind === 'files') return ' -r -F'
  if (values.kind === 'directories') return ` -x -a '(__fish_complete_directories)'`
  if (values.kind === 'profiles') return ` -x -a '(__facescan_profiles)'`
  if (values.kind !== 'words') return ' -x'
  const words = quote(values.words.join(' '))
  return values.many ? ` -x -a ${quote(`(__facescan_list ${values.words.join(' ')})`)}` : ` -x -a ${words}`
}

function flagLine(condition: string, { names, summary, values }: CompletedFlag): string {
  const [long = '', short] = names
  const name = `${short ? `-s ${short.slice(1)} ` : ''}-l ${long.slice(2)}`
  return line(condition, `${name}${values ? offer(values) : ''}`, summary)
}

function valuedNames(table: CompletionTable): string {
  const flags = [...table.commands.flatMap((command) => command.flags), ...table.globalFlags]
  return [...new Set(flags.filter(({ values }) => values).flatMap(({ names }) => names))].join(' ')
}

function wordLines({ words }: CompletionTable): string[] {
  return words.flatMap(({ path, next }) =>
    next.map(({ word, summary }) =>
      line(`-n ${quote(`__facescan_at ${quoted(path)}`)}`, `-a ${word}`, summary),
    ),
  )
}

function commandLines({ commands }: CompletionTable): string[] {
  return commands.flatMap(({ path, flags, arguments: all }) => [
    ...flags.map((flag) => flagLine(`-n ${quote(`__facescan_in ${quoted(path)}`)}`, flag)),
    ...all.flatMap((values, index) => {
      if (values.kind === 'none') return []
      return [
        `complete -c facescan -n ${quote(`__facescan_argument ${quoted(path)} ${index + 1}`)}${offer(values)}`,
      ]
    }),
  ])
}

function quoted(path: string): string {
  return `"${path}"`
}

export function fishScript(table: CompletionTable): string {
  const branches = table.words.map(({ path }) => path).filter((path) => /^\S+$/.test(path))
  return `${banner('fish')}

function __facescan_profiles
    set -l folder "$HOME/.config/facescan"
    test (uname) = Darwin; and set folder "$HOME/Library/Application Support/facescan"
    set -q XDG_CONFIG_HOME; and set folder "$XDG_CONFIG_HOME/facescan"
    set -q FACESCAN_CONFIG_DIR; and set folder "$FACESCAN_CONFIG_DIR"
    echo SANDBOX-DEV
    string match -gr '^    "([^"]*)": \\{$' <"$folder/profiles.json" 2>/dev/null
end

# The words typed so far that are neither flags nor their values.
function __facescan_typed
    set -l pending 0
    for word in (commandline -opc)[2..]
        if test $pending = 1
            set pending 0
        else if contains -- $word ${valuedNames(table)}
            set pending 1
        else if not string match -q -- '-*' $word
            echo -- $word
        end
    end
end

function __facescan_at
    test "$(__facescan_typed | string join ' ')" = "$argv[1]"
end

function __facescan_path
    set -l typed (__facescan_typed)
    if contains -- "$typed[1]" ${branches.join(' ')}
        echo -- "$typed[1..2]"
    else
        echo -- "$typed[1]"
    end
end

function __facescan_in
    test "$(__facescan_path)" = "$argv[1]"
end

function __facescan_argument
    __facescan_in $argv[1]; or return 1
    set -l typed (__facescan_typed)
    test (math (count $typed) - (count (string split ' ' $argv[1])) + 1) = $argv[2]
end

# Values of a list with commas: what is already there stays in front.
function __facescan_list
    set -l before (commandline -ct | string match -gr '^(?:--[a-z-]+=)?(.*,)')
    for word in $argv
        echo -- "$before$word"
    end
end

complete -c facescan -f
${[...wordLines(table), ...commandLines(table), ...table.globalFlags.map((flag) => flagLine('', flag).replace('  ', ' '))].join('\n')}
`
}

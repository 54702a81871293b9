import { quote } from '../../base/text/shell-quote.ts'
import type { CompletedFlag, CompletionTable, Values } from './table.ts'

/** Words as they stand; `+words` for a list with commas; `@files`, `@directories`, `@profiles`; empty for no idea. */
function valueCode(values: Values): string {
  if (values.kind === 'none') return ''
  if (values.kind !== 'words') return `@${values.kind}`
  return `${values.many ? '+' : ''}${values.words.join(' ')}`
}

function flagCase(path: string | undefined, { names, values }: CompletedFlag): string[] {
  if (!values) return []
  const patterns = names.map((name) =>
    path === undefined ? `*${quote(` ${name}`)}` : quote(`${path} ${name}`),
  )
  return [`    ${patterns.join(' | ')}) values=${quote(valueCode(values))} ;;`]
}

/** How the values of flags and arguments are completed: parts that bash and zsh read alike. */
export function valueFunctions({ commands, globalFlags }: CompletionTable): string {
  const own = commands.flatMap(({ path, flags }) => flags.flatMap((flag) => flagCase(path, flag)))
  const global = globalFlags.flatMap((flag) => flagCase(undefined, flag))
  const positions = commands.flatMap(({ path, arguments: all }) =>
    all.map((values, index) => `    ${quote(`${path} ${index + 1}`)}) values=${quote(valueCode(values))} ;;`),
  )
  return `# How the value of a flag is completed; fails for a flag that takes none.
__facescan_value_of() {
  case "$1 $2" in
${[...own, ...global].join('\n')}
    *) return 1 ;;
  esac
}

__facescan_argument() {
  values=
  case "$1 $2" in
${positions.join('\n')}
  esac
}`
}

/** The profile file is written with one name a line, so that a shell can read it without starting a program of ours. */
export const profilesFunction = `__facescan_profiles() {
  local folder="\${XDG_CONFIG_HOME:-$HOME/.config}/facescan"
  case "$OSTYPE" in
    darwin*) [ -n "$XDG_CONFIG_HOME" ] || folder="$HOME/Library/Application Support/facescan" ;;
    msys* | cygwin*) [ -z "$APPDATA" ] || folder="$APPDATA/facescan" ;;
  esac
  echo SANDBOX-DEV
  sed -n 's/^    "\\([^"]*\\)": {$/\\1/p' "\${FACESCAN_CONFIG_DIR:-$folder}/profiles.json" 2>/dev/null
}`

import { quote } from '../../base/text/shell-quote.ts'
import { banner } from '../../command/shells.ts'
import { profilesFunction, valueFunctions } from './posix.ts'
import type { CompletedFlag, CompletionTable } from './table.ts'

function wordCases(table: CompletionTable): string {
  return table.words
    .map(({ path, next }) => `    ${quote(path)}) words=${quote(next.map(({ word }) => word).join(' '))} ;;`)
    .join('\n')
}

function flagCases(table: CompletionTable): string {
  const names = (flags: readonly CompletedFlag[]) => flags.flatMap((flag) => flag.names).join(' ')
  return [
    ...table.commands
      .filter(({ flags }) => flags.length > 0)
      .map(({ path, flags }) => `    ${quote(path)}) flags=${quote(names(flags))} ;;`),
    '  esac',
    `  flags="$flags ${names(table.globalFlags)}"`,
  ].join('\n')
}

export function bashScript(table: CompletionTable): string {
  return `${banner('bash')}

${profilesFunction}

__facescan_words() {
  case "$1" in
${wordCases(table)}
    *) words= ;;
  esac
}

__facescan_flags() {
  flags=
  case "$1" in
${flagCases(table)}
}

${valueFunctions(table)}

__facescan_offer() {
  local prefix=
  case "$1" in
    @files) compopt -o filenames; COMPREPLY=($(compgen -f -- "$2")) ;;
    @directories) compopt -o filenames; COMPREPLY=($(compgen -d -- "$2")) ;;
    @profiles) COMPREPLY=($(compgen -W "$(__facescan_profiles)" -- "$2")) ;;
    +*)
      [[ $2 == *,* ]] && prefix="\${2%,*},"
      compopt -o nospace
      COMPREPLY=($(compgen -P "$prefix" -W "\${1#+}" -- "\${2##*,}"))
      ;;
    *) COMPREPLY=($(compgen -W "$1" -- "$2")) ;;
  esac
}

_facescan() {
  local IFS=$' \\t\\n' cur="\${COMP_WORDS[COMP_CWORD]}" path= pending= last= count=1 index word words flags values
  COMPREPLY=()
  # bash splits --flag=value into three words.
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ $word == '=' ]]; then
      pending="$last"
    elif [[ -n $pending ]]; then
      pending=
    elif [[ $word == -* ]]; then
      last="$word"
      __facescan_value_of "$path" "$word" && pending="$word"
    else
      __facescan_words "$path"
      if [[ -n $words ]]; then path="\${path:+$path }$word"; else ((count++)); fi
    fi
  done
  if [[ $cur == '=' ]]; then
    pending="$last" cur=
  fi
  if [[ -n $pending ]]; then
    __facescan_value_of "$path" "$pending" && __facescan_offer "$values" "$cur"
    return
  fi
  __facescan_words "$path"
  if [[ $cur == -* ]]; then
    __facescan_flags "$path"
    __facescan_offer "$flags" "$cur"
  elif [[ -n $words ]]; then
    __facescan_offer "$words" "$cur"
  else
    __facescan_argument "$path" "$count"
    __facescan_offer "$values" "$cur"
  fi
}

complete -F _facescan facescan
`
}

import { quote } from '../../base/text/shell-quote.ts'
import { banner } from '../../command/shells.ts'
import { profilesFunction, valueFunctions } from './posix.ts'
import type { CompletedFlag, CompletionTable } from './table.ts'

function described(name: string, summary: string): string {
  return quote(`${name.replaceAll(':', '\\:')}:${summary}`)
}

function describedFlags(flags: readonly CompletedFlag[], indent: string): string {
  return flags
    .flatMap(({ names, summary }) => names.map((name) => `${indent}${described(name, summary)}`))
    .join('\n')
}

function wordCases({ words }: CompletionTable): string {
  return words
    .map(({ path, next }) => {
      const lines = next.map(({ word, summary }) => `        ${described(word, summary)}`).join('\n')
      return `    ${quote(path)})\n      entries=(\n${lines}\n      )\n      ;;`
    })
    .join('\n')
}

function flagCases({ commands }: CompletionTable): string {
  return commands
    .filter(({ flags }) => flags.length > 0)
    .map(
      ({ path, flags }) =>
        `    ${quote(path)})\n      entries+=(\n${describedFlags(flags, '        ')}\n      )\n      ;;`,
    )
    .join('\n')
}

export function zshScript(table: CompletionTable): string {
  return `#compdef facescan
${banner('zsh')}

${profilesFunction}

__facescan_words() {
  entries=()
  case "$1" in
${wordCases(table)}
  esac
}

__facescan_flags() {
  entries=()
  case "$1" in
${flagCases(table)}
  esac
  entries+=(
${describedFlags(table.globalFlags, '    ')}
  )
}

${valueFunctions(table)}

__facescan_offer() {
  case "$1" in
    @files) _files ;;
    @directories) _files -/ ;;
    @profiles) compadd -- \${(f)"$(__facescan_profiles)"} ;;
    +*) compset -P '*,'; compadd -q -S , -- \${=1#+} ;;
    ?*) compadd -- \${=1} ;;
  esac
}

_facescan() {
  local path_so_far= pending= word values index count=1
  local -a entries
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n $pending ]]; then
      pending=
    elif [[ $word == -*=* ]]; then
      continue
    elif [[ $word == -* ]]; then
      __facescan_value_of "$path_so_far" "$word" && pending="$word"
    else
      __facescan_words "$path_so_far"
      if (( \${#entries} )); then
        path_so_far="\${path_so_far:+$path_so_far }$word"
      else
        (( count++ ))
      fi
    fi
  done
  if [[ -z $pending && $PREFIX == --*=* ]]; then
    pending="\${PREFIX%%=*}"
    compset -P '*='
  fi
  if [[ -n $pending ]]; then
    __facescan_value_of "$path_so_far" "$pending" && __facescan_offer "$values"
    return
  fi
  if [[ $PREFIX == -* ]]; then
    __facescan_flags "$path_so_far"
    _describe -o 'flag' entries
    return
  fi
  __facescan_words "$path_so_far"
  if (( \${#entries} )); then
    _describe 'command' entries
  else
    __facescan_argument "$path_so_far" "$count"
    __facescan_offer "$values"
  fi
}

if [[ $funcstack[1] == _facescan ]]; then
  _facescan "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _facescan facescan
fi
`
}

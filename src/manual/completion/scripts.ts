import { quote } from '../../base/text/shell-quote.ts'
import { installLines, type Shell } from '../../command/shells.ts'
import { awkProgram } from './awk.ts'
import { powershellBody } from './powershell.ts'
import { completionRows } from './rows.ts'

/** Reads the typed words, and passes the result of the awk program to the shell. */
const bodies: Readonly<Record<Exclude<Shell, 'powershell'>, string>> = {
  bash: `_facescan() {
  local -a words=()
  local IFS=$'\\n' word current typed count=0
  # bash splits --flag=value into three words.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((count > 0)) && [[ $word == '=' || \${words[count - 1]} == --*= ]]; then
      words[count - 1]="\${words[count - 1]}$word"
    else
      words[count]="$word"
      count=$((count + 1))
    fi
  done
  current="\${words[count - 1]}"
  typed="\${COMP_WORDS[COMP_CWORD]}"
  [[ $typed == '=' ]] && typed=
  COMPREPLY=()
  while read -r word; do
    case "$word" in
      @files*) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$typed")) ;;
      @directories*) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$typed")) ;;
      *)
        word="\${word%%$'\\t'*}"
        COMPREPLY+=("\${word#"\${current%"$typed"}"}")
        [[ $word == *,* ]] && compopt -o nospace
        ;;
    esac
  done < <(printf '%s\\n' "$__facescan_rows" | awk "$__facescan_awk" "\${words[@]}")
}

complete -F _facescan facescan
`,
  zsh: `_facescan() {
  local line
  local -a entries
  for line in "\${(@f)$(printf '%s\\n' "$__facescan_rows" | awk "$__facescan_awk" "\${(@)words[2,CURRENT-1]}" "$PREFIX")}"; do
    case "$line" in
      @files*) compset -P '--*='; _files ;;
      @directories*) compset -P '--*='; _files -/ ;;
      ?*) entries+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  _describe facescan entries
}

if [[ $funcstack[1] == _facescan ]]; then
  _facescan "$@"
else
  (( \${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _facescan facescan
fi
`,
  fish: `function __facescan_complete
    set -l words (commandline -opc)[2..] "$(commandline -ct)"
    for line in (printf '%s\\n' $__facescan_rows | awk $__facescan_awk $words)
        switch $line
            case '@files*'
                __fish_complete_path (commandline -ct)
            case '@directories*'
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end

complete -c facescan -f -a '(__facescan_complete)'
`,
}

export async function completionScript(shell: Shell): Promise<string> {
  const rows = await completionRows()
  const head = [
    ...(shell === 'zsh' ? ['#compdef facescan'] : []),
    `# facescan completion for ${shell === 'powershell' ? 'PowerShell' : shell}, generated; do not edit.`,
    `# To install it: ${installLines[shell]}`,
  ].join('\n')
  if (shell === 'powershell') return `${head}\n\n${powershellBody(rows)}`
  const assign = (name: string, text: string) =>
    shell === 'fish' ? `set -g ${name} ${quote(text)}` : `${name}=${quote(text)}`
  const program = assign('__facescan_awk', awkProgram)
  return [head, assign('__facescan_rows', rows.join('\n')), program, bodies[shell]].join('\n\n')
}

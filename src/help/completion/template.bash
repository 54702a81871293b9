# facescan completion for bash. Generated file; do not edit.
# To install it: {{install}}

__facescan_rows={{rows}}

__facescan_awk={{awk}}

_facescan() {
  local -a words=()
  local IFS=$'\n' word current typed count=0
  # bash splits --flag=value into three words.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if ((count > 0)) && [[ $word == '=' || ${words[count - 1]} == --*= ]]; then
      words[count - 1]="${words[count - 1]}$word"
    else
      words[count]="$word"
      count=$((count + 1))
    fi
  done
  current="${words[count - 1]}"
  typed="${COMP_WORDS[COMP_CWORD]}"
  [[ $typed == '=' ]] && typed=
  COMPREPLY=()
  while read -r word; do
    case "$word" in
      @files*) compopt -o filenames; COMPREPLY+=($(compgen -f -- "$typed")) ;;
      @directories*) compopt -o filenames; COMPREPLY+=($(compgen -d -- "$typed")) ;;
      *)
        word="${word%%$'\t'*}"
        COMPREPLY+=("${word#"${current%"$typed"}"}")
        [[ $word == *,* || $word == *= ]] && compopt -o nospace
        ;;
    esac
  done < <(printf '%s\n' "$__facescan_rows" | awk "$__facescan_awk" "${words[@]}")
}

complete -F _facescan facescan

#compdef facescan
# facescan completion for zsh. Generated file; do not edit.
# To install it: {{install}}

__facescan_rows={{rows}}

__facescan_awk={{awk}}

_facescan() {
  local line
  local -a entries keys values
  for line in "${(@f)$(printf '%s\n' "$__facescan_rows" | awk "$__facescan_awk" "${(@)words[2,CURRENT-1]}" "$PREFIX")}"; do
    case "$line" in
      @files*) compset -P '--*='; _files ;;
      @directories*) compset -P '--*='; _files -/ ;;
      *'='$'\t'*) keys+=("${line%%$'\t'*}") ;;
      ?*$'\t') values+=("${line%$'\t'}") ;;
      ?*) entries+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  _describe facescan entries
  (( $#values )) && compadd -a values
  (( $#keys )) && compadd -S '' -a keys
}

if [[ $funcstack[1] == _facescan ]]; then
  _facescan "$@"
else
  (( ${+functions[compdef]} )) || { autoload -Uz compinit && compinit; }
  compdef _facescan facescan
fi

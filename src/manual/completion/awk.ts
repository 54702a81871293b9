/**
 * Completes for bash, zsh, and fish. Reads the rows on standard input and the typed words as arguments; the last word is being
 * completed. Prints complete words with their summaries, or `@files` or `@directories`. Contains no quotes and no backslash
 * before a quote, so that all three shells read the program alike.
 */
export const awkProgram = `
BEGIN {
  FS = "\\t"
  last = ARGC - 1
  for (i = 1; i <= last; i++) { typed[i] = ARGV[i]; ARGV[i] = "" }
}
{ rows[NR] = $0 }
$1 == "word" { branches[$2] = 1 }
$1 == "argument" { arguments[$2, $3] = $4 }
$1 == "flag" || $1 == "fields" {
  count = split($3, names, " ")
  for (i = 1; i <= count; i++) if (!(($2, names[i]) in flags)) flags[$2, names[i]] = $4
}
END {
  # "facescan help" is followed by the words of a command or by a topic.
  help = last > 1 && typed[1] == "help"
  position = 1
  for (i = help ? 2 : 1; i < last; i++) {
    if (pending != "") pending = ""
    else if (typed[i] ~ /^-/) { if (valuesOf(typed[i]) ~ /^[^-=]/) pending = typed[i] }
    else if (path in branches) path = path == "" ? typed[i] : path " " typed[i]
    else position++
  }
  word = typed[last]
  if (pending == "" && match(word, /^--[^=]+=/)) {
    prefix = substr(word, 1, RLENGTH)
    pending = substr(word, 1, RLENGTH - 1)
  }
  if (pending != "") offerValues(valuesOf(pending), prefix)
  else if (word ~ /^-/) offerFlags()
  else {
    if (path in branches) offerWords()
    else if (!help) offerValues(arguments[path, position], "")
    if (help && path == "") offerValues(arguments["help", 1], "")
  }
}
function valuesOf(flag) { return ((path, flag) in flags) ? flags[path, flag] : flags["*", flag] }
function offer(candidate, summary) {
  if (candidate ~ /^@/ || substr(candidate, 1, length(word)) == word) print candidate "\\t" summary
}
function offerWords(   i, row) {
  for (i = 1; i <= NR; i++) {
    split(rows[i], row, FS)
    if (row[1] == "word" && row[2] == path) offer(row[3], row[5])
  }
}
# The flags of the command; the global flags too if the person has typed a part of their name.
function offerFlags(   i, j, row, count, names, own) {
  for (i = 1; i <= NR; i++) {
    split(rows[i], row, FS)
    if (row[1] != "flag" || row[2] != path && (row[2] != "*" || own && length(word) < 3)) continue
    if (row[2] == path) own = 1
    count = split(row[3], names, " ")
    for (j = 1; j <= count; j++) offer(names[j], row[5])
  }
}
function offerValues(values, prefix,   i, count, words) {
  sub(/^=/, "", values)
  if (values == "@profiles") { offerProfiles(prefix); return }
  if (values ~ /^[+]/) {
    values = substr(values, 2)
    if (match(word, /^.*,/)) prefix = substr(word, 1, RLENGTH)
  }
  if (values ~ /^[-?]/) return
  count = split(values, words, " ")
  for (i = 1; i <= count; i++) offer(words[i] ~ /^@/ ? words[i] : prefix words[i], "")
}
# The profile file contains each name on its own line.
function offerProfiles(prefix,   folder, line) {
  offer(prefix "SANDBOX-DEV", "")
  folder = ENVIRON["FACESCAN_CONFIG_DIR"]
  if (folder == "" && ENVIRON["XDG_CONFIG_HOME"] != "") folder = ENVIRON["XDG_CONFIG_HOME"] "/facescan"
  if (folder != "") readProfiles(folder, prefix)
  else if (!readProfiles(ENVIRON["HOME"] "/Library/Application Support/facescan", prefix) && !readProfiles(ENVIRON["APPDATA"] "/facescan", prefix))
    readProfiles(ENVIRON["HOME"] "/.config/facescan", prefix)
}
function readProfiles(folder, prefix,   line, found) {
  while ((getline line < (folder "/profiles.json")) > 0) {
    found = 1
    if (line ~ /^    "[^"]*": [{]$/) offer(prefix substr(line, 6, length(line) - 9), "")
  }
  return found
}
`

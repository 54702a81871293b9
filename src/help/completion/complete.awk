# Completes the last word for bash, zsh, and fish. Reads the rows on standard input, and the typed words as arguments.
# Prints complete words with their summaries, or @files or @directories. All three shells must pass this program unchanged to
# awk, so it contains no single quotation mark, and no backslash before a quotation mark.
BEGIN {
  FS = "\t"
  last = ARGC - 1
  for (i = 1; i <= last; i++) { typed[i] = ARGV[i]; ARGV[i] = "" }
}
{ rows[NR] = $0; paths[$1]; slots[$1, $2] }
END {
  position = 1
  for (i = 1; i < last; i++) {
    deeper = path == "" ? typed[i] : path " " typed[i]
    if (flag != "") flag = ""
    else if (typed[i] ~ /^-/) {
      split(typed[i], parts, "=")
      given[parts[1]]
      if ((path, typed[i]) in slots || ("*", typed[i]) in slots) flag = typed[i]
    }
    else if (deeper in paths) path = deeper
    else {
      position++
      # A lookup key with its answer.
      if (match(typed[i], /^[a-z_]+=/)) given[substr(typed[i], 1, RLENGTH)]
    }
  }
  word = typed[last]
  if (flag != "") offer(flag, "")
  else if (match(word, /^--[^=]+=/)) {
    prefix = substr(word, 1, RLENGTH)
    offer(prefix, prefix)
    offer(substr(prefix, 1, length(prefix) - 1), prefix)
  }
  else offer(word ~ /^-/ ? "-" : position, "")
}
# Offers the global flags if the command has no flags, or if a part of their name was typed.
function offer(slot, prefix,   i, j, row, count, names, own, start, list, selected) {
  selected = position > 1 || "--users" in given || "--user-id" in given || "--external-user-id" in given
  for (i = 1; i <= NR; i++) {
    split(rows[i], row, FS)
    if (!fits(row[2], slot) || row[1] != path && (row[1] != "*" || slot == "-" && own && length(word) < 3)) continue
    # The flags of a command after --users apply only to a list. They follow --users on the line, or a part of their name was typed.
    if (list && row[1] == path && !("--users" in given) && length(word) < 3) continue
    if (slot == "-" && row[3] == "--users") list = 1
    # An argument or a flag already selects the user.
    if (slot == "-" && selected && length(word) < 3 && row[3] ~ /^--(external-user-id|user-id|users)( |$)/) continue
    if (row[1] == path) own = 1
    start = row[4] == "," && match(word, /^.*,/) ? substr(word, 1, RLENGTH) : prefix
    count = split(row[3], names, " ")
    if (row[2] == "-" && isGiven(names, count)) continue
    for (j = 1; j <= count; j++) {
      if (names[j] == "@profiles") offerProfiles(start)
      else if (names[j] == "@imports") offerImports(start)
      else if (names[j] == "@zones") offerZones(start)
      else if (names[j] ~ /^@/) print names[j] "\t"
      else if (names[j] ~ /=$/ && names[j] in given) continue
      else offerOne(start names[j], row[4])
    }
  }
}
# The slot 2+ fits the second and every later position. The slot -+ is a flag that can be repeated.
function fits(own, slot) {
  return own == slot || own == slot "+" || slot + 0 > 0 && own ~ /[+]$/ && own + 0 > 0 && own + 0 < slot + 0
}
function isGiven(names, count,   j) {
  for (j = 1; j <= count; j++) if (names[j] in given) return 1
  return 0
}
function offerOne(candidate, summary) {
  if (substr(candidate, 1, length(word)) == word) print candidate "\t" (summary == "," ? "" : summary)
}
# The profile file contains each name on its own line.
function offerProfiles(prefix,   folder, line) {
  offerOne(prefix "SANDBOX-DEV", "")
  folder = ENVIRON["FACESCAN_CONFIG_DIR"]
  if (folder == "" && ENVIRON["XDG_CONFIG_HOME"] != "") folder = ENVIRON["XDG_CONFIG_HOME"] "/facescan"
  if (folder != "") readProfiles(folder, prefix)
  else if (!readProfiles(ENVIRON["HOME"] "/Library/Application Support/facescan", prefix) && !readProfiles(ENVIRON["APPDATA"] "/facescan", prefix))
    readProfiles(ENVIRON["HOME"] "/.config/facescan", prefix)
}
function readProfiles(folder, prefix,   line, found) {
  while ((getline line < (folder "/profiles.json")) > 0) {
    found = 1
    if (line ~ /^    "[^"]*": [{]$/) offerOne(prefix substr(line, 6, length(line) - 9), "")
  }
  return found
}
function offerImports(prefix,   quote, command, line) {
  quote = sprintf("%c", 34)
  command = "ls " quote "${FACESCAN_STATE_DIR:-${XDG_STATE_HOME:-$HOME/.local/state}/facescan}/imports" quote
  command = command " " quote "$HOME/Library/Application Support/facescan/state/imports" quote
  command = command " " quote "$LOCALAPPDATA/facescan/state/imports" quote " 2>/dev/null"
  # With several directories, ls prints their names too.
  while ((command | getline line) > 0) if (line ~ /^[A-Za-z0-9-]+$/) offerOne(prefix line, "")
}
function offerZones(prefix,   line, columns) {
  offerOne(prefix "UTC", "")
  while ((getline line < "/usr/share/zoneinfo/zone.tab") > 0)
    if (line !~ /^#/ && split(line, columns, FS) > 2) offerOne(prefix columns[3], "")
}

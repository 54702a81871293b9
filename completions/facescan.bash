# facescan completion for bash, generated; do not edit.
# To install it: facescan completion bash > ~/.facescan.bash && echo '. ~/.facescan.bash' >> ~/.bashrc

__facescan_profiles() {
  local folder="${XDG_CONFIG_HOME:-$HOME/.config}/facescan"
  case "$OSTYPE" in
    darwin*) [ -n "$XDG_CONFIG_HOME" ] || folder="$HOME/Library/Application Support/facescan" ;;
    msys* | cygwin*) [ -z "$APPDATA" ] || folder="$APPDATA/facescan" ;;
  esac
  echo SANDBOX-DEV
  sed -n 's/^    "\([^"]*\)": {$/\1/p' "${FACESCAN_CONFIG_DIR:-$folder}/profiles.json" 2>/dev/null
}

__facescan_words() {
  case "$1" in
    '') words='users scan-url dashboard-url token biomarkers metrics wellbeing summary recommendations answers imports profiles status doctor history demo sandbox api ce-label widgets schema completion help' ;;
    'users') words='create get update import delete' ;;
    'biomarkers') words='list latest get compare' ;;
    'answers') words='keys list save import' ;;
    'imports') words='list show resume merge remove' ;;
    'profiles') words='add list show use set unlock move-key remove' ;;
    'history') words='list verify' ;;
    'sandbox') words='serve scan key status reset openapi' ;;
    'widgets') words='biomarker metric graph' ;;
    'help') words='commands environment exit-codes flags formats import many-users users scan-url dashboard-url token biomarkers metrics wellbeing summary recommendations answers imports profiles status doctor history demo sandbox api ce-label widgets schema completion help' ;;
    'help users') words='create get update import delete' ;;
    'help biomarkers') words='list latest get compare' ;;
    'help answers') words='keys list save import' ;;
    'help imports') words='list show resume merge remove' ;;
    'help profiles') words='add list show use set unlock move-key remove' ;;
    'help history') words='list verify' ;;
    'help sandbox') words='serve scan key status reset openapi' ;;
    'help widgets') words='biomarker metric graph' ;;
    *) words= ;;
  esac
}

__facescan_flags() {
  flags=
  case "$1" in
    'users create') flags='--external-user-id --no-external-user-id --birth-date --sex --language --unit-system --if-not-exists' ;;
    'users get') flags='--external-user-id --user-id --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'users update') flags='--external-user-id --user-id --birth-date --sex --language --unit-system --new-external-user-id --clear' ;;
    'users import') flags='--existing --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'users delete') flags='--external-user-id --user-id' ;;
    'scan-url') flags='--external-user-id --user-id --language --expire-at --open --copy --qr --qr-file --wait --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'dashboard-url') flags='--external-user-id --user-id --language --disable --open --copy --qr --qr-file --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'token') flags='--external-user-id --user-id --copy --qr --qr-file --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'biomarkers list') flags='--external-user-id --user-id --start --end --order --chart --limit --all --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'biomarkers latest') flags='--external-user-id --user-id --count --watch --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'biomarkers get') flags='--external-user-id --user-id' ;;
    'biomarkers compare') flags='--external-user-id --user-id --before --after --count' ;;
    'metrics') flags='--external-user-id --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'wellbeing') flags='--external-user-id --user-id --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'summary') flags='--external-user-id --user-id --language --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'recommendations') flags='--external-user-id --user-id --language --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'answers keys') flags='--limit --all' ;;
    'answers list') flags='--external-user-id --limit --all --page-parameter --users --keep --out --map --delimiter --skip-invalid --errors --max-concurrency --rate --shard --shard-index --shard-count' ;;
    'answers save') flags='--external-user-id --user-id --timezone' ;;
    'answers import') flags='--timezone --map --delimiter --batch-size --skip-invalid --results --max-concurrency --rate --on-ambiguous --verbose --page-parameter --shard --shard-index --shard-count --again' ;;
    'imports list') flags='--limit --all' ;;
    'imports resume') flags='--results --max-concurrency --rate --on-ambiguous --verbose --page-parameter --key-replaced' ;;
    'profiles add') flags='--base-url --store --key-command --replace --no-verify' ;;
    'profiles list') flags='--limit --all' ;;
    'profiles set') flags='--protect --base-url --key-command --reference' ;;
    'profiles unlock') flags='--for --reason' ;;
    'profiles move-key') flags='--store' ;;
    'doctor') flags='--network --bundle' ;;
    'history list') flags='--external-user-id --user-id --limit --all' ;;
    'sandbox serve') flags='--port --host --expose-to-network --db --revision --latency --fail --reset --late-apply --late-by --rate-limit --seed' ;;
    'sandbox scan') flags='--external-user-id --user-id --count --days --seed --db' ;;
    'sandbox key') flags='--db --production' ;;
    'sandbox status') flags='--db' ;;
    'sandbox reset') flags='--db' ;;
    'api') flags='--raw-field -f --field -F --body' ;;
    'ce-label') flags='--out' ;;
    'widgets biomarker') flags='--external-user-id --user-id --face-scan-id' ;;
    'widgets metric') flags='--external-user-id --user-id' ;;
    'widgets graph') flags='--external-user-id --user-id --title --start --stop' ;;
  esac
  flags="$flags --profile -p --key-file --key-stdin --action-token --output -o --json --jq --no-header --no-truncate --excel --color --quiet -q --dry-run -n --yes -y --confirm --no-input --timeout --max-time --retries --strict --redact --debug --curl --har --help -h --version -V"
}

# How the value of a flag is completed; fails for a flag that takes none.
__facescan_value_of() {
  case "$1 $2" in
    'users create --external-user-id') values='' ;;
    'users create --birth-date') values='' ;;
    'users create --sex') values='M F' ;;
    'users create --language') values='en nl fr da sv' ;;
    'users create --unit-system') values='metric imperial' ;;
    'users get --external-user-id') values='' ;;
    'users get --user-id') values='' ;;
    'users get --users') values='@files' ;;
    'users get --keep') values='' ;;
    'users get --out') values='@files' ;;
    'users get --map') values='' ;;
    'users get --delimiter') values='' ;;
    'users get --errors') values='@files' ;;
    'users get --max-concurrency') values='' ;;
    'users get --rate') values='' ;;
    'users get --shard') values='' ;;
    'users get --shard-index') values='' ;;
    'users get --shard-count') values='' ;;
    'users update --external-user-id') values='' ;;
    'users update --user-id') values='' ;;
    'users update --birth-date') values='' ;;
    'users update --sex') values='M F' ;;
    'users update --language') values='en nl fr da sv' ;;
    'users update --unit-system') values='metric imperial' ;;
    'users update --new-external-user-id') values='' ;;
    'users update --clear') values='+birth-date sex language unit-system' ;;
    'users import --existing') values='skip update fail' ;;
    'users import --out') values='@files' ;;
    'users import --map') values='' ;;
    'users import --delimiter') values='' ;;
    'users import --errors') values='@files' ;;
    'users import --max-concurrency') values='' ;;
    'users import --rate') values='' ;;
    'users import --shard') values='' ;;
    'users import --shard-index') values='' ;;
    'users import --shard-count') values='' ;;
    'users delete --external-user-id') values='' ;;
    'users delete --user-id') values='' ;;
    'scan-url --external-user-id') values='' ;;
    'scan-url --user-id') values='' ;;
    'scan-url --language') values='nl da en fr de es sv' ;;
    'scan-url --expire-at') values='' ;;
    'scan-url --qr-file') values='@files' ;;
    'scan-url --users') values='@files' ;;
    'scan-url --keep') values='' ;;
    'scan-url --out') values='@files' ;;
    'scan-url --map') values='' ;;
    'scan-url --delimiter') values='' ;;
    'scan-url --errors') values='@files' ;;
    'scan-url --max-concurrency') values='' ;;
    'scan-url --rate') values='' ;;
    'scan-url --shard') values='' ;;
    'scan-url --shard-index') values='' ;;
    'scan-url --shard-count') values='' ;;
    'dashboard-url --external-user-id') values='' ;;
    'dashboard-url --user-id') values='' ;;
    'dashboard-url --language') values='nl da en fr de es sv' ;;
    'dashboard-url --disable') values='+main metrics biomarkers recommendations todos' ;;
    'dashboard-url --qr-file') values='@files' ;;
    'dashboard-url --users') values='@files' ;;
    'dashboard-url --keep') values='' ;;
    'dashboard-url --out') values='@files' ;;
    'dashboard-url --map') values='' ;;
    'dashboard-url --delimiter') values='' ;;
    'dashboard-url --errors') values='@files' ;;
    'dashboard-url --max-concurrency') values='' ;;
    'dashboard-url --rate') values='' ;;
    'dashboard-url --shard') values='' ;;
    'dashboard-url --shard-index') values='' ;;
    'dashboard-url --shard-count') values='' ;;
    'token --external-user-id') values='' ;;
    'token --user-id') values='' ;;
    'token --qr-file') values='@files' ;;
    'token --users') values='@files' ;;
    'token --keep') values='' ;;
    'token --out') values='@files' ;;
    'token --map') values='' ;;
    'token --delimiter') values='' ;;
    'token --errors') values='@files' ;;
    'token --max-concurrency') values='' ;;
    'token --rate') values='' ;;
    'token --shard') values='' ;;
    'token --shard-index') values='' ;;
    'token --shard-count') values='' ;;
    'biomarkers list --external-user-id') values='' ;;
    'biomarkers list --user-id') values='' ;;
    'biomarkers list --start') values='' ;;
    'biomarkers list --end') values='' ;;
    'biomarkers list --order') values='asc desc' ;;
    'biomarkers list --limit') values='' ;;
    'biomarkers list --users') values='@files' ;;
    'biomarkers list --keep') values='' ;;
    'biomarkers list --out') values='@files' ;;
    'biomarkers list --map') values='' ;;
    'biomarkers list --delimiter') values='' ;;
    'biomarkers list --errors') values='@files' ;;
    'biomarkers list --max-concurrency') values='' ;;
    'biomarkers list --rate') values='' ;;
    'biomarkers list --shard') values='' ;;
    'biomarkers list --shard-index') values='' ;;
    'biomarkers list --shard-count') values='' ;;
    'biomarkers latest --external-user-id') values='' ;;
    'biomarkers latest --user-id') values='' ;;
    'biomarkers latest --count') values='' ;;
    'biomarkers latest --users') values='@files' ;;
    'biomarkers latest --keep') values='' ;;
    'biomarkers latest --out') values='@files' ;;
    'biomarkers latest --map') values='' ;;
    'biomarkers latest --delimiter') values='' ;;
    'biomarkers latest --errors') values='@files' ;;
    'biomarkers latest --max-concurrency') values='' ;;
    'biomarkers latest --rate') values='' ;;
    'biomarkers latest --shard') values='' ;;
    'biomarkers latest --shard-index') values='' ;;
    'biomarkers latest --shard-count') values='' ;;
    'biomarkers get --external-user-id') values='' ;;
    'biomarkers get --user-id') values='' ;;
    'biomarkers compare --external-user-id') values='' ;;
    'biomarkers compare --user-id') values='' ;;
    'biomarkers compare --before') values='' ;;
    'biomarkers compare --after') values='' ;;
    'biomarkers compare --count') values='' ;;
    'metrics --external-user-id') values='' ;;
    'metrics --users') values='@files' ;;
    'metrics --keep') values='' ;;
    'metrics --out') values='@files' ;;
    'metrics --map') values='' ;;
    'metrics --delimiter') values='' ;;
    'metrics --errors') values='@files' ;;
    'metrics --max-concurrency') values='' ;;
    'metrics --rate') values='' ;;
    'metrics --shard') values='' ;;
    'metrics --shard-index') values='' ;;
    'metrics --shard-count') values='' ;;
    'wellbeing --external-user-id') values='' ;;
    'wellbeing --user-id') values='' ;;
    'wellbeing --users') values='@files' ;;
    'wellbeing --keep') values='' ;;
    'wellbeing --out') values='@files' ;;
    'wellbeing --map') values='' ;;
    'wellbeing --delimiter') values='' ;;
    'wellbeing --errors') values='@files' ;;
    'wellbeing --max-concurrency') values='' ;;
    'wellbeing --rate') values='' ;;
    'wellbeing --shard') values='' ;;
    'wellbeing --shard-index') values='' ;;
    'wellbeing --shard-count') values='' ;;
    'summary --external-user-id') values='' ;;
    'summary --user-id') values='' ;;
    'summary --language') values='nl da en fr de es sv' ;;
    'summary --users') values='@files' ;;
    'summary --keep') values='' ;;
    'summary --out') values='@files' ;;
    'summary --map') values='' ;;
    'summary --delimiter') values='' ;;
    'summary --errors') values='@files' ;;
    'summary --max-concurrency') values='' ;;
    'summary --rate') values='' ;;
    'summary --shard') values='' ;;
    'summary --shard-index') values='' ;;
    'summary --shard-count') values='' ;;
    'recommendations --external-user-id') values='' ;;
    'recommendations --user-id') values='' ;;
    'recommendations --language') values='nl da en fr de es sv' ;;
    'recommendations --users') values='@files' ;;
    'recommendations --keep') values='' ;;
    'recommendations --out') values='@files' ;;
    'recommendations --map') values='' ;;
    'recommendations --delimiter') values='' ;;
    'recommendations --errors') values='@files' ;;
    'recommendations --max-concurrency') values='' ;;
    'recommendations --rate') values='' ;;
    'recommendations --shard') values='' ;;
    'recommendations --shard-index') values='' ;;
    'recommendations --shard-count') values='' ;;
    'answers keys --limit') values='' ;;
    'answers list --external-user-id') values='' ;;
    'answers list --limit') values='' ;;
    'answers list --page-parameter') values='' ;;
    'answers list --users') values='@files' ;;
    'answers list --keep') values='' ;;
    'answers list --out') values='@files' ;;
    'answers list --map') values='' ;;
    'answers list --delimiter') values='' ;;
    'answers list --errors') values='@files' ;;
    'answers list --max-concurrency') values='' ;;
    'answers list --rate') values='' ;;
    'answers list --shard') values='' ;;
    'answers list --shard-index') values='' ;;
    'answers list --shard-count') values='' ;;
    'answers save --external-user-id') values='' ;;
    'answers save --user-id') values='' ;;
    'answers save --timezone') values='' ;;
    'answers import --timezone') values='' ;;
    'answers import --map') values='' ;;
    'answers import --delimiter') values='' ;;
    'answers import --batch-size') values='' ;;
    'answers import --results') values='@directories' ;;
    'answers import --max-concurrency') values='' ;;
    'answers import --rate') values='' ;;
    'answers import --on-ambiguous') values='hold resend skip' ;;
    'answers import --page-parameter') values='' ;;
    'answers import --shard') values='' ;;
    'answers import --shard-index') values='' ;;
    'answers import --shard-count') values='' ;;
    'imports list --limit') values='' ;;
    'imports resume --results') values='@directories' ;;
    'imports resume --max-concurrency') values='' ;;
    'imports resume --rate') values='' ;;
    'imports resume --on-ambiguous') values='hold resend skip' ;;
    'imports resume --page-parameter') values='' ;;
    'profiles add --base-url') values='' ;;
    'profiles add --store') values='keyring file' ;;
    'profiles add --key-command') values='' ;;
    'profiles list --limit') values='' ;;
    'profiles set --protect') values='read-only confirm off' ;;
    'profiles set --base-url') values='' ;;
    'profiles set --key-command') values='' ;;
    'profiles set --reference') values='on off' ;;
    'profiles unlock --for') values='' ;;
    'profiles unlock --reason') values='' ;;
    'profiles move-key --store') values='keyring file' ;;
    'doctor --bundle') values='@files' ;;
    'history list --external-user-id') values='' ;;
    'history list --user-id') values='' ;;
    'history list --limit') values='' ;;
    'sandbox serve --port') values='' ;;
    'sandbox serve --host') values='' ;;
    'sandbox serve --db') values='@files' ;;
    'sandbox serve --revision') values='current earlier both' ;;
    'sandbox serve --latency') values='' ;;
    'sandbox serve --fail') values='' ;;
    'sandbox serve --reset') values='' ;;
    'sandbox serve --late-apply') values='' ;;
    'sandbox serve --late-by') values='' ;;
    'sandbox serve --rate-limit') values='' ;;
    'sandbox serve --seed') values='' ;;
    'sandbox scan --external-user-id') values='' ;;
    'sandbox scan --user-id') values='' ;;
    'sandbox scan --count') values='' ;;
    'sandbox scan --days') values='' ;;
    'sandbox scan --seed') values='' ;;
    'sandbox scan --db') values='@files' ;;
    'sandbox key --db') values='@files' ;;
    'sandbox status --db') values='@files' ;;
    'sandbox reset --db') values='@files' ;;
    'api --raw-field' | 'api -f') values='' ;;
    'api --field' | 'api -F') values='' ;;
    'api --body') values='@files' ;;
    'ce-label --out') values='@files' ;;
    'widgets biomarker --external-user-id') values='' ;;
    'widgets biomarker --user-id') values='' ;;
    'widgets biomarker --face-scan-id') values='' ;;
    'widgets metric --external-user-id') values='' ;;
    'widgets metric --user-id') values='' ;;
    'widgets graph --external-user-id') values='' ;;
    'widgets graph --user-id') values='' ;;
    'widgets graph --title') values='' ;;
    'widgets graph --start') values='' ;;
    'widgets graph --stop') values='' ;;
    *' --profile' | *' -p') values='@profiles' ;;
    *' --key-file') values='@files' ;;
    *' --action-token') values='@files' ;;
    *' --output' | *' -o') values='table json ndjson csv tsv' ;;
    *' --jq') values='' ;;
    *' --color') values='auto always never' ;;
    *' --confirm') values='' ;;
    *' --timeout') values='' ;;
    *' --max-time') values='' ;;
    *' --retries') values='' ;;
    *' --har') values='@files' ;;
    *) return 1 ;;
  esac
}

__facescan_argument() {
  values=
  case "$1 $2" in
    'users create 1') values='' ;;
    'users get 1') values='' ;;
    'users update 1') values='' ;;
    'users import 1') values='@files' ;;
    'users delete 1') values='' ;;
    'scan-url 1') values='' ;;
    'dashboard-url 1') values='' ;;
    'token 1') values='' ;;
    'biomarkers list 1') values='' ;;
    'biomarkers latest 1') values='' ;;
    'biomarkers get 1') values='' ;;
    'biomarkers compare 1') values='' ;;
    'metrics 1') values='' ;;
    'wellbeing 1') values='' ;;
    'summary 1') values='physical mental energy_sleep' ;;
    'recommendations 1') values='' ;;
    'answers list 1') values='' ;;
    'answers save 1') values='height weight balance_coordination hours_sport_week daily_activities nightly_wake_ups feeling_stressed_last_month struggling_irritations_last_month things_your_way_last_month average_sleep_hours age parental_hypertension smoking' ;;
    'answers save 2') values='' ;;
    'answers import 1') values='@files' ;;
    'imports show 1') values='' ;;
    'imports resume 1') values='' ;;
    'imports resume 2') values='@files' ;;
    'imports merge 1') values='' ;;
    'imports remove 1') values='' ;;
    'profiles add 1') values='' ;;
    'profiles show 1') values='@profiles' ;;
    'profiles use 1') values='@profiles' ;;
    'profiles set 1') values='@profiles' ;;
    'profiles unlock 1') values='@profiles' ;;
    'profiles move-key 1') values='@profiles' ;;
    'profiles remove 1') values='@profiles' ;;
    'sandbox scan 1') values='' ;;
    'api 1') values='GET POST PUT DELETE' ;;
    'api 2') values='' ;;
    'widgets biomarker 1') values='heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure' ;;
    'widgets metric 1') values='energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality' ;;
    'widgets graph 1') values='heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality' ;;
    'completion 1') values='bash zsh fish powershell' ;;
  esac
}

__facescan_offer() {
  local prefix=
  case "$1" in
    @files) compopt -o filenames; COMPREPLY=($(compgen -f -- "$2")) ;;
    @directories) compopt -o filenames; COMPREPLY=($(compgen -d -- "$2")) ;;
    @profiles) COMPREPLY=($(compgen -W "$(__facescan_profiles)" -- "$2")) ;;
    +*)
      [[ $2 == *,* ]] && prefix="${2%,*},"
      compopt -o nospace
      COMPREPLY=($(compgen -P "$prefix" -W "${1#+}" -- "${2##*,}"))
      ;;
    *) COMPREPLY=($(compgen -W "$1" -- "$2")) ;;
  esac
}

_facescan() {
  local IFS=$' \t\n' cur="${COMP_WORDS[COMP_CWORD]}" path= pending= last= count=1 index word words flags values
  COMPREPLY=()
  # bash splits --flag=value into three words.
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="${COMP_WORDS[index]}"
    if [[ $word == '=' ]]; then
      pending="$last"
    elif [[ -n $pending ]]; then
      pending=
    elif [[ $word == -* ]]; then
      last="$word"
      __facescan_value_of "$path" "$word" && pending="$word"
    else
      __facescan_words "$path"
      if [[ -n $words ]]; then path="${path:+$path }$word"; else ((count++)); fi
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

# facescan completion for fish, made from its commands: changes here are lost.
# To keep it: facescan completion fish > ~/.config/fish/completions/facescan.fish

function __facescan_profiles
    set -l folder "$HOME/.config/facescan"
    test (uname) = Darwin; and set folder "$HOME/Library/Application Support/facescan"
    set -q XDG_CONFIG_HOME; and set folder "$XDG_CONFIG_HOME/facescan"
    set -q FACESCAN_CONFIG_DIR; and set folder "$FACESCAN_CONFIG_DIR"
    echo SANDBOX-DEV
    string match -gr '^    "([^"]*)": \{$' <"$folder/profiles.json" 2>/dev/null
end

# The words typed so far that are neither flags nor their values.
function __facescan_typed
    set -l pending 0
    for word in (commandline -opc)[2..]
        if test $pending = 1
            set pending 0
        else if contains -- $word --external-user-id --birth-date --sex --language --unit-system --user-id --new-external-user-id --clear --expire-at --disable --start --end --order --count --before --after --page --page-parameter --timezone --map --delimiter --batch-size --results --max-concurrency --rate --on-ambiguous --shard --shard-index --shard-count --base-url --store --key-command --protect --for --reason --bundle --port --host --db --revision --latency --fail --reset --late-apply --late-by --rate-limit --seed --days --raw-field -f --field -F --body --out --face-scan-id --title --stop --profile -p --key-file --action-token --output -o --jq --color --confirm --timeout --max-time --retries --har
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
    if contains -- "$typed[1]" users biomarkers answers imports profiles history sandbox widgets
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
complete -c facescan -n '__facescan_at ""' -a users -d 'create, look up, change and delete users'
complete -c facescan -n '__facescan_at ""' -a scan-url -d 'get a link to the face scan'
complete -c facescan -n '__facescan_at ""' -a dashboard-url -d 'get a one-time link to the dashboard'
complete -c facescan -n '__facescan_at ""' -a token -d 'make an action token for one user'
complete -c facescan -n '__facescan_at ""' -a biomarkers -d 'biomarkers of face scans'
complete -c facescan -n '__facescan_at ""' -a metrics -d 'six health metrics with confidence'
complete -c facescan -n '__facescan_at ""' -a wellbeing -d 'wellbeing scores and what they mean'
complete -c facescan -n '__facescan_at ""' -a summary -d 'feedback and tip on a wellbeing profile'
complete -c facescan -n '__facescan_at ""' -a recommendations -d 'what the service recommends'
complete -c facescan -n '__facescan_at ""' -a answers -d 'questions answered by or for users'
complete -c facescan -n '__facescan_at ""' -a imports -d 'imports that were started on this machine'
complete -c facescan -n '__facescan_at ""' -a profiles -d 'API keys and the services they belong to'
complete -c facescan -n '__facescan_at ""' -a status -d 'who the next command speaks as, and why'
complete -c facescan -n '__facescan_at ""' -a doctor -d 'find out what is wrong on this machine'
complete -c facescan -n '__facescan_at ""' -a history -d 'the audit log: the changes sent from this machine'
complete -c facescan -n '__facescan_at ""' -a demo -d 'a two-minute tour on a throw-away sandbox'
complete -c facescan -n '__facescan_at ""' -a sandbox -d 'the whole service on this machine'
complete -c facescan -n '__facescan_at ""' -a api -d 'call any endpoint'
complete -c facescan -n '__facescan_at ""' -a ce-label -d 'get the CE label image'
complete -c facescan -n '__facescan_at ""' -a widgets -d 'deprecated widget data'
complete -c facescan -n '__facescan_at ""' -a schema -d 'describe every command to programs'
complete -c facescan -n '__facescan_at ""' -a completion -d 'complete commands in your shell'
complete -c facescan -n '__facescan_at ""' -a help -d 'explain a command or a topic'
complete -c facescan -n '__facescan_at "users"' -a create -d 'create a user'
complete -c facescan -n '__facescan_at "users"' -a get -d 'show a user'
complete -c facescan -n '__facescan_at "users"' -a update -d 'change a user'
complete -c facescan -n '__facescan_at "users"' -a delete -d 'delete a user with all data'
complete -c facescan -n '__facescan_at "biomarkers"' -a list -d 'list the scans of a user'
complete -c facescan -n '__facescan_at "biomarkers"' -a latest -d 'show the latest scans'
complete -c facescan -n '__facescan_at "biomarkers"' -a get -d 'show one scan'
complete -c facescan -n '__facescan_at "biomarkers"' -a compare -d 'compare two spans of time'
complete -c facescan -n '__facescan_at "answers"' -a keys -d 'list the lookup keys of all questions'
complete -c facescan -n '__facescan_at "answers"' -a list -d 'list what a user has answered'
complete -c facescan -n '__facescan_at "answers"' -a save -d 'save one answer'
complete -c facescan -n '__facescan_at "answers"' -a import -d 'save the answers of a file'
complete -c facescan -n '__facescan_at "imports"' -a list -d 'list imports with their state'
complete -c facescan -n '__facescan_at "imports"' -a show -d 'show an import'
complete -c facescan -n '__facescan_at "imports"' -a resume -d 'go on with an import that stopped'
complete -c facescan -n '__facescan_at "imports"' -a merge -d 'add up the summaries of all shards'
complete -c facescan -n '__facescan_at "imports"' -a remove -d 'forget an import'
complete -c facescan -n '__facescan_at "profiles"' -a add -d 'add a profile with its key'
complete -c facescan -n '__facescan_at "profiles"' -a list -d 'list all profiles'
complete -c facescan -n '__facescan_at "profiles"' -a show -d 'show one profile'
complete -c facescan -n '__facescan_at "profiles"' -a use -d 'choose the default profile'
complete -c facescan -n '__facescan_at "profiles"' -a set -d 'change protection or address'
complete -c facescan -n '__facescan_at "profiles"' -a unlock -d 'open a read-only profile for a while'
complete -c facescan -n '__facescan_at "profiles"' -a move-key -d 'move a key to another store'
complete -c facescan -n '__facescan_at "profiles"' -a remove -d 'remove a profile with its key'
complete -c facescan -n '__facescan_at "history"' -a list -d 'list the latest changes'
complete -c facescan -n '__facescan_at "history"' -a verify -d 'prove that no line was altered'
complete -c facescan -n '__facescan_at "sandbox"' -a serve -d 'serve it over HTTP, with rehearsed faults if you like'
complete -c facescan -n '__facescan_at "sandbox"' -a scan -d 'record synthetic scans of a user'
complete -c facescan -n '__facescan_at "sandbox"' -a key -d 'print a key of the sandbox'
complete -c facescan -n '__facescan_at "sandbox"' -a status -d 'what the sandbox holds'
complete -c facescan -n '__facescan_at "sandbox"' -a reset -d 'empty the sandbox'
complete -c facescan -n '__facescan_at "sandbox"' -a openapi -d 'the interface as an OpenAPI document'
complete -c facescan -n '__facescan_at "widgets"' -a biomarker -d 'data of a biomarker widget'
complete -c facescan -n '__facescan_at "widgets"' -a metric -d 'data of a metric widget'
complete -c facescan -n '__facescan_at "widgets"' -a graph -d 'data of a graph widget'
complete -c facescan -n '__facescan_in "users create"' -l external-user-id -x -d 'your own id for the user'
complete -c facescan -n '__facescan_in "users create"' -l birth-date -x -d 'date of birth, YYYY-MM-DD'
complete -c facescan -n '__facescan_in "users create"' -l sex -x -a 'M F' -d 'sex at birth'
complete -c facescan -n '__facescan_in "users create"' -l language -x -a 'en nl fr da sv' -d 'default language'
complete -c facescan -n '__facescan_in "users create"' -l unit-system -x -a 'metric imperial' -d 'preferred units'
complete -c facescan -n '__facescan_in "users create"' -l if-not-exists -d 'succeed with the stored user when the id is taken'
complete -c facescan -n '__facescan_in "users get"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "users get"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "users update"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "users update"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "users update"' -l birth-date -x -d 'date of birth, YYYY-MM-DD'
complete -c facescan -n '__facescan_in "users update"' -l sex -x -a 'M F' -d 'sex at birth'
complete -c facescan -n '__facescan_in "users update"' -l language -x -a 'en nl fr da sv' -d 'default language'
complete -c facescan -n '__facescan_in "users update"' -l unit-system -x -a 'metric imperial' -d 'preferred units'
complete -c facescan -n '__facescan_in "users update"' -l new-external-user-id -x -d 'replace your own id of the user'
complete -c facescan -n '__facescan_in "users update"' -l clear -x -a '(__facescan_list birth_date sex language preferred_unit_system)' -d 'empty these fields'
complete -c facescan -n '__facescan_in "users delete"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "users delete"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "scan-url"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "scan-url"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "scan-url"' -l language -x -a 'nl da en fr de es sv' -d 'language of the scan page; the user’s own where absent'
complete -c facescan -n '__facescan_in "scan-url"' -l expire-at -x -d 'when the link stops working, without a zone'
complete -c facescan -n '__facescan_in "scan-url"' -l open -d 'open it in the browser instead of printing it'
complete -c facescan -n '__facescan_in "scan-url"' -l copy -d 'put it on the clipboard for 45 seconds instead of printing it'
complete -c facescan -n '__facescan_in "scan-url"' -l qr -d 'draw a QR code instead of printing it'
complete -c facescan -n '__facescan_in "scan-url"' -l wait -d 'wait for the user’s next scan, 15m or as long as said, and print its biomarkers'
complete -c facescan -n '__facescan_in "dashboard-url"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "dashboard-url"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "dashboard-url"' -l language -x -a 'nl da en fr de es sv' -d 'language of the dashboard; the user’s own where absent'
complete -c facescan -n '__facescan_in "dashboard-url"' -l disable -x -a '(__facescan_list main metrics biomarkers recommendations todos)' -d 'sections to leave out'
complete -c facescan -n '__facescan_in "dashboard-url"' -l open -d 'open it in the browser instead of printing it'
complete -c facescan -n '__facescan_in "dashboard-url"' -l copy -d 'put it on the clipboard for 45 seconds instead of printing it'
complete -c facescan -n '__facescan_in "dashboard-url"' -l qr -d 'draw a QR code instead of printing it'
complete -c facescan -n '__facescan_in "token"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "token"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "token"' -l copy -d 'put it on the clipboard for 45 seconds instead of printing it'
complete -c facescan -n '__facescan_in "token"' -l qr -d 'draw a QR code instead of printing it'
complete -c facescan -n '__facescan_in "biomarkers list"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "biomarkers list"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "biomarkers list"' -l start -x -d 'only scans after this time'
complete -c facescan -n '__facescan_in "biomarkers list"' -l end -x -d 'only scans before this time'
complete -c facescan -n '__facescan_in "biomarkers list"' -l order -x -a 'asc desc' -d 'oldest or newest first'
complete -c facescan -n '__facescan_in "biomarkers list"' -l chart -d 'draw a line chart, of one biomarker or of all'
complete -c facescan -n '__facescan_in "biomarkers list"' -l count -x -d 'scans at most'
complete -c facescan -n '__facescan_in "biomarkers latest"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "biomarkers latest"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "biomarkers latest"' -l count -x -d 'the last n scans'
complete -c facescan -n '__facescan_in "biomarkers latest"' -l watch -d 'go on with each new scan until Ctrl-C'
complete -c facescan -n '__facescan_in "biomarkers get"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "biomarkers compare"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "biomarkers compare"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "biomarkers compare"' -l before -x -d 'one side: the scans before this time'
complete -c facescan -n '__facescan_in "biomarkers compare"' -l after -x -d 'the other side: the scans after this time'
complete -c facescan -n '__facescan_in "biomarkers compare"' -l count -x -d 'scans at most on each side, those nearest to the time'
complete -c facescan -n '__facescan_in "metrics"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "wellbeing"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "wellbeing"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "summary"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "summary"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "summary"' -l language -x -a 'nl da en fr de es sv' -d 'language of the texts'
complete -c facescan -n '__facescan_argument "summary" 1' -x -a 'physical mental energy_sleep'
complete -c facescan -n '__facescan_in "recommendations"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "recommendations"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "recommendations"' -l language -x -a 'nl da en fr de es sv' -d 'language of the texts; the user’s own where absent'
complete -c facescan -n '__facescan_in "answers list"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "answers list"' -l page -x -d 'the page to show'
complete -c facescan -n '__facescan_in "answers list"' -l all -d 'every page'
complete -c facescan -n '__facescan_in "answers list"' -l page-parameter -x -d 'query parameter that selects the page'
complete -c facescan -n '__facescan_in "answers save"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "answers save"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "answers save"' -l timezone -x -d 'IANA time zone of the answer'
complete -c facescan -n '__facescan_argument "answers save" 1' -x -a 'height weight balance_coordination hours_sport_week daily_activities nightly_wake_ups feeling_stressed_last_month struggling_irritations_last_month things_your_way_last_month average_sleep_hours age parental_hypertension smoking'
complete -c facescan -n '__facescan_in "answers import"' -l timezone -x -d 'time zone of the rows that name none'
complete -c facescan -n '__facescan_in "answers import"' -l map -x -d 'read a column of the file under another name'
complete -c facescan -n '__facescan_in "answers import"' -l delimiter -x -d 'cell delimiter, where it is not found by itself'
complete -c facescan -n '__facescan_in "answers import"' -l batch-size -x -d 'answers a request at most'
complete -c facescan -n '__facescan_in "answers import"' -l skip-invalid -d 'send the valid rows of a file that has invalid ones'
complete -c facescan -n '__facescan_in "answers import"' -l results -x -a '(__fish_complete_directories)' -d 'where rejects, unknown and summary files go; beside the input by default'
complete -c facescan -n '__facescan_in "answers import"' -l max-concurrency -x -d 'requests in flight at most'
complete -c facescan -n '__facescan_in "answers import"' -l rate -x -d 'requests a second at most'
complete -c facescan -n '__facescan_in "answers import"' -l on-ambiguous -x -a 'hold resend skip' -d 'rows that cannot be proven saved: put them in the unknown file, send them again, or neither'
complete -c facescan -n '__facescan_in "answers import"' -l page-parameter -x -d 'query parameter that selects a page of answers'
complete -c facescan -n '__facescan_in "answers import"' -l shard -x -d 'import part k of n, split by user; auto takes k from a Kubernetes or Slurm task'
complete -c facescan -n '__facescan_in "answers import"' -l shard-index -x -d 'the same, counted from 0: part i of --shard-count'
complete -c facescan -n '__facescan_in "answers import"' -l shard-count -x -d 'number of parts, for --shard-index and --shard auto'
complete -c facescan -n '__facescan_in "answers import"' -l again -d 'save the answers of a file that was imported before once more'
complete -c facescan -n '__facescan_argument "answers import" 1' -r -F
complete -c facescan -n '__facescan_in "imports resume"' -l results -x -a '(__fish_complete_directories)' -d 'where rejects, unknown and summary files go; beside the input by default'
complete -c facescan -n '__facescan_in "imports resume"' -l max-concurrency -x -d 'requests in flight at most'
complete -c facescan -n '__facescan_in "imports resume"' -l rate -x -d 'requests a second at most'
complete -c facescan -n '__facescan_in "imports resume"' -l on-ambiguous -x -a 'hold resend skip' -d 'rows that cannot be proven saved: put them in the unknown file, send them again, or neither'
complete -c facescan -n '__facescan_in "imports resume"' -l page-parameter -x -d 'query parameter that selects a page of answers'
complete -c facescan -n '__facescan_argument "imports resume" 2' -r -F
complete -c facescan -n '__facescan_in "profiles add"' -l base-url -x -d 'the address of the service'
complete -c facescan -n '__facescan_in "profiles add"' -l store -x -a 'keyring file' -d 'where a production key is kept: the system keyring, or an owner-only file'
complete -c facescan -n '__facescan_in "profiles add"' -l key-command -x -d 'a program that prints the key, instead of storing it'
complete -c facescan -n '__facescan_in "profiles add"' -l replace -d 'put another key in the place of the one that is there'
complete -c facescan -n '__facescan_in "profiles add"' -l no-verify -d 'store the key without trying it'
complete -c facescan -n '__facescan_argument "profiles show" 1' -x -a '(__facescan_profiles)'
complete -c facescan -n '__facescan_argument "profiles use" 1' -x -a '(__facescan_profiles)'
complete -c facescan -n '__facescan_in "profiles set"' -l protect -x -a 'read-only confirm off' -d 'read-only refuses every change, confirm asks before each, off lets them through'
complete -c facescan -n '__facescan_in "profiles set"' -l base-url -x -d 'the address of the service'
complete -c facescan -n '__facescan_in "profiles set"' -l key-command -x -d 'the program that prints the key'
complete -c facescan -n '__facescan_argument "profiles set" 1' -x -a '(__facescan_profiles)'
complete -c facescan -n '__facescan_in "profiles unlock"' -l for -x -d 'how long, such as 15m; at most 24h'
complete -c facescan -n '__facescan_in "profiles unlock"' -l reason -x -d 'why, without personal data; the audit log repeats it'
complete -c facescan -n '__facescan_argument "profiles unlock" 1' -x -a '(__facescan_profiles)'
complete -c facescan -n '__facescan_in "profiles move-key"' -l store -x -a 'keyring file' -d 'where the key goes'
complete -c facescan -n '__facescan_argument "profiles move-key" 1' -x -a '(__facescan_profiles)'
complete -c facescan -n '__facescan_argument "profiles remove" 1' -x -a '(__facescan_profiles)'
complete -c facescan -n '__facescan_in "doctor"' -l network -d 'connect to the service as well: certificate, clock, latency, key'
complete -c facescan -n '__facescan_in "doctor"' -l bundle -r -F -d 'write what support needs to a file, without any secret'
complete -c facescan -n '__facescan_in "history list"' -l count -x -d 'how many of the latest changes'
complete -c facescan -n '__facescan_in "sandbox serve"' -l port -x -d 'port to listen on; 0 for any free one'
complete -c facescan -n '__facescan_in "sandbox serve"' -l host -x -d 'address to listen on'
complete -c facescan -n '__facescan_in "sandbox serve"' -l expose-to-network -d 'allow an address that other machines can reach'
complete -c facescan -n '__facescan_in "sandbox serve"' -l db -r -F -d 'database file; the built-in sandbox’s where absent'
complete -c facescan -n '__facescan_in "sandbox serve"' -l revision -x -a 'current earlier both' -d 'identifiers accepted, by revision'
complete -c facescan -n '__facescan_in "sandbox serve"' -l latency -x -d 'wait before each answer'
complete -c facescan -n '__facescan_in "sandbox serve"' -l fail -x -d 'answer this status instead, such as 503:0.05'
complete -c facescan -n '__facescan_in "sandbox serve"' -l reset -x -d 'reset the connection'
complete -c facescan -n '__facescan_in "sandbox serve"' -l late-apply -x -d 'reset, then apply the change later'
complete -c facescan -n '__facescan_in "sandbox serve"' -l late-by -x -d 'longest delay of a late change'
complete -c facescan -n '__facescan_in "sandbox serve"' -l rate-limit -x -d 'answer 429 beyond n requests a second'
complete -c facescan -n '__facescan_in "sandbox serve"' -l seed -x -d 'the same seed gives the same faults'
complete -c facescan -n '__facescan_in "sandbox scan"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "sandbox scan"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "sandbox scan"' -l count -x -d 'scans to record'
complete -c facescan -n '__facescan_in "sandbox scan"' -l days -x -d 'days they are spread over, up to now'
complete -c facescan -n '__facescan_in "sandbox scan"' -l seed -x -d 'the same seed gives the same values'
complete -c facescan -n '__facescan_in "sandbox scan"' -l db -r -F -d 'database file; the built-in sandbox’s where absent'
complete -c facescan -n '__facescan_in "sandbox key"' -l db -r -F -d 'database file; the built-in sandbox’s where absent'
complete -c facescan -n '__facescan_in "sandbox key"' -l production -d 'the production key instead of the -DEV one'
complete -c facescan -n '__facescan_in "sandbox status"' -l db -r -F -d 'database file; the built-in sandbox’s where absent'
complete -c facescan -n '__facescan_in "sandbox reset"' -l db -r -F -d 'database file; the built-in sandbox’s where absent'
complete -c facescan -n '__facescan_in "api"' -s f -l raw-field -x -d 'a text field'
complete -c facescan -n '__facescan_in "api"' -s F -l field -x -d 'a field; numbers, true, false, null and @file are understood'
complete -c facescan -n '__facescan_in "api"' -l body -r -F -d 'JSON body from a file, or - for standard input'
complete -c facescan -n '__facescan_argument "api" 1' -x -a 'GET POST PUT DELETE'
complete -c facescan -n '__facescan_in "ce-label"' -l out -r -F -d 'write the image to a file'
complete -c facescan -n '__facescan_in "widgets biomarker"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "widgets biomarker"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "widgets biomarker"' -l face-scan-id -x -d 'the face scan'
complete -c facescan -n '__facescan_argument "widgets biomarker" 1' -x -a 'heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure'
complete -c facescan -n '__facescan_in "widgets metric"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "widgets metric"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_argument "widgets metric" 1' -x -a 'energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality'
complete -c facescan -n '__facescan_in "widgets graph"' -l external-user-id -x -d 'your own id of the user'
complete -c facescan -n '__facescan_in "widgets graph"' -l user-id -x -d 'the service’s id of the user'
complete -c facescan -n '__facescan_in "widgets graph"' -l title -x -d 'title of the graph'
complete -c facescan -n '__facescan_in "widgets graph"' -l start -x -d 'first day; 8 days ago where absent'
complete -c facescan -n '__facescan_in "widgets graph"' -l stop -x -d 'last day; today where absent'
complete -c facescan -n '__facescan_argument "widgets graph" 1' -x -a 'heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality'
complete -c facescan -n '__facescan_argument "completion" 1' -x -a 'bash zsh fish powershell'
complete -c facescan -n '__facescan_argument "help" 1' -x -a 'commands environment exit-codes flags formats import profiles users scan-url dashboard-url token biomarkers metrics wellbeing summary recommendations answers imports profiles status doctor history demo sandbox api ce-label widgets schema completion help'
complete -c facescan -s p -l profile -x -a '(__facescan_profiles)' -d 'profile to use'
complete -c facescan -l key-file -r -F -d 'read the API key from a file'
complete -c facescan -l key-stdin -d 'read the API key from standard input'
complete -c facescan -l action-token -r -F -d 'read an action token from a file, or - for standard input'
complete -c facescan -s o -l output -x -a 'table json ndjson csv tsv' -d 'how to print'
complete -c facescan -l json -d 'JSON, whole or only some fields'
complete -c facescan -l jq -x -d 'filter the JSON with jq'
complete -c facescan -l no-header -d 'leave the heading line out'
complete -c facescan -l no-truncate -d 'show every cell whole'
complete -c facescan -l excel -d 'CSV that Excel opens safely'
complete -c facescan -l color -x -a 'auto always never' -d 'colour'
complete -c facescan -s q -l quiet -d 'no remarks: only data, warnings and errors'
complete -c facescan -s n -l dry-run -d 'show the request, send nothing'
complete -c facescan -s y -l yes -d 'do not ask'
complete -c facescan -l confirm -x -d 'confirm a guarded change by naming it'
complete -c facescan -l no-input -d 'never prompt'
complete -c facescan -l timeout -x -d 'longest wait for an answer'
complete -c facescan -l max-time -x -d 'longest time for the whole command'
complete -c facescan -l retries -x -d 'attempts after a failed one'
complete -c facescan -l strict -d 'fail on a reply of an unknown shape'
complete -c facescan -l redact -d 'show pseudonyms instead of ids, tokens and customer names'
complete -c facescan -l debug -d 'trace requests on stderr, secrets masked'
complete -c facescan -l curl -d 'show each request as a curl command'
complete -c facescan -l har -r -F -d 'write the exchange to a HAR file, secrets masked'
complete -c facescan -s h -l help -d 'show help'
complete -c facescan -s V -l version -d 'show the version'

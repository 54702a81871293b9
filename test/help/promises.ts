/**
 * Sentences in the README, help, and man pages, and the titles of the tests that prove them. Lists every sentence with a word such as
 * "every", and other sentences that a change can easily make wrong.
 */
export type Promises = Readonly<Record<string, readonly [title: string, ...more: string[]]>>

/** Each title is copied from a test file. In a title, `${name}` is written as %s. */
export const promises: Promises = {
  'It needs no key and no network.': ['a command with the built-in sandbox opens no network connection'],
  'Get started (the built-in sandbox needs no key or network)': [
    'a command with the built-in sandbox opens no network connection',
  ],
  'Commands that change only this machine refuse the flag.': [
    '"%s", which changes only this machine, refuses --dry-run',
    '"%s" refuses --dry-run and writes nothing',
  ],
  'The audit log is not protected against changes by its owner; `facescan profiles set NAME --audit-command` passes each entry to another log.':
    [
      'an audit command receives each entry that the audit log receives, for changes of users, answers, and profiles',
      'an audit command receives the start and the outcome of each change, without the external user ID',
      'an audit command is started once for a list of users and receives one entry for each user',
      'an audit command receives one entry for each user that an import created',
    ],
  '--no-truncate names each missing answer.': [
    '"overview" lists as many missing answers as fit on three lines, and lists all with --no-truncate',
  ],
  'facescan sends no telemetry and does not check for updates.': [
    'a command opens network connections only to the service',
    'a command with the built-in sandbox opens no network connection',
  ],
  'If a part of a file is unclear, nothing is saved, and the error shows the flags to add.': [
    'if a file is unclear, "%s" sends no request and shows the flags to add',
    '"answers import" of %s requests only the lookup keys from the service',
    'the error for a list of users suggests the flags that are needed to read it: %j',
    'an import rejects IDs that a spreadsheet has changed, and accepts them with --ids exact',
    'a command requires --map for a column named userId whose cells are not UUIDs',
  ],
  'Journals of imports contain no answers and no external user IDs; `facescan imports remove ID` deletes one.':
    [
      'a journal contains neither answers nor user IDs',
      'the state directory contains no answers after an import',
      '"imports list", "imports show", and "imports remove" work for a finished import',
    ],
  'All answers for a user are in the same part.': [
    'every user belongs to exactly one shard for any number of shards',
  ],
  'Every row is checked before the first answer is sent.': [
    '"answers import" of %s requests only the lookup keys from the service',
    'if one row is invalid, an import stops before the first request and reports all errors',
  ],
  'No row is lost, and no accepted row is sent again.': [
    'if imports are killed %s times at random moments, no row is lost, saved twice, or out of order',
    'a resumed import does not resend rows if the crashed first run recorded their states',
  ],
  'Two processes with one state directory never run the same import at the same time, even in two containers.':
    [
      'an import is refused while another process runs the same import',
      'an import is refused if another container with the same host name is running the import',
    ],
  'Each change still needs confirmation and is logged with the reason.': [
    'an unlocked read-only profile has the protection "confirm" until the unlock expires',
    '"profiles unlock" allows changes in a read-only profile and logs the reason',
  ],
  'Deletes the user and all of their data, including face scan results.': [
    'deleting a user deletes the user’s scans and answers and makes the user’s tokens invalid',
  ],
  'Sends nothing without --network.': [
    '"doctor" reports no problem on a configured machine and sends nothing',
    '"%s" sends no request',
  ],
  'IDs and links are never truncated.': [
    'on a terminal with %i columns, no ID and no link is truncated',
    'no line of the golden files wraps, and no ID is truncated',
  ],
  '`facescan schema` describes the JSON output of every command.': [
    'the schema lists every command with its flags',
    'the example "%s" prints JSON that matches the schema of its command',
  ],
  'Tokens and links of a list are never printed to a terminal.': [
    '"%s" refuses to print the tokens or links of a list to a terminal, in any format',
  ],
  'Creates each user only once.': [
    '"users import" creates each user once, even if the service accepts duplicate external user IDs',
    'if the service fails and the program is interrupted %s times, each user in a list is created once and deleted once',
  ],
  'By default, changes in production need confirmation.': [
    'a change in production is refused without a confirmation, with only --yes, or with a wrong --confirm',
    'a change is sent or refused as documented: %s',
  ],
  'They are logged.': [
    'the audit log has an entry before and after a change in production, and no entry contains the external user ID',
  ],
  'Production keys are stored in the system keyring or in an owner-only file.': [
    'a production key is stored in the keyring by default, and can be moved and removed',
    '--store file writes a production key to a file that only its owner can read, and not to profiles.json',
  ],
  'A key in a flag such as `--api-key` is refused.': [
    'the command line "%s" is refused, and the error does not contain the value of the flag',
  ],
  'To resume an import, run the same command again.': [
    'if Ctrl-C stopped an import, the same command resumes it after a prompt',
    'repeating a stopped import in a script resumes it without a prompt and sends each row once',
  ],
  'To resume an import, run the same command again, or `facescan imports resume ID`.': [
    'if Ctrl-C stopped an import, the same command resumes it after a prompt',
    '"imports resume" uses the original settings, and accepts another file name and --verify',
  ],
  'With `--dry-run`, a command shows the request instead of sending it, and a list shows the number of users.':
    ['with --dry-run, each command shows its request or number of users, and changes no data'],
  'A profile whose name ends in `-DEV` is a development profile.': [
    'the protection is "confirm" in production and "off" in development by default',
  ],
  'Without a selected profile or key, commands read from the sandbox.': [
    'if no profile is selected, a read without a terminal warns once that it used the sandbox: %s --quiet',
    'if a profile exists but none is selected, a change on a terminal is refused, and a read-only command uses the sandbox',
  ],
  'Changes are then refused in scripts, and also on a terminal if another profile is stored.': [
    'if no profile is selected, a change without a terminal exits with 13 and sends nothing: %s',
    'on a terminal without a selected profile, commands that read or change data use the sandbox and print no warning',
    'if a profile exists but none is selected, a change on a terminal is refused, and a read-only command uses the sandbox',
  ],
  'other lists or imports in production': ['a change is sent or refused as documented: %s'],
  'lowering or unlocking a protection': [
    '"profiles set" reduces the protection of a production profile only with a confirmation',
    '"profiles unlock" allows changes in a read-only profile and logs the reason',
  ],
  'With protection `off` (the default for development), deletions need confirmation, and so do changes of the base URL or the audit command of a profile.':
    [
      'a change is sent or refused as documented: %s',
      'a development profile changes its base URL or audit command only after a confirmation',
    ],
  'To confirm the deletion of one user, pass `--yes`; for a list, pass `--confirm=NUMBER`.': [
    'a change is sent or refused as documented: %s',
    '--yes does not confirm the deletion of a list of users, in any environment',
    '--confirm with the number of users confirms the deletion of a list of users',
  ],
  '`facescan history list` shows the changes that were made from this machine, except changes to the sandbox.':
    ['"history list" shows changes to another service, but not changes to the sandbox'],
  'If a command fails, stdout is empty, unless the command has printed a result before it fails (such as `doctor`, `overview`, `scan-url --wait`, and lists and imports with exit code 10 or 11).':
    [
      'if the service returns 500, the first example of each command except "doctor" prints nothing on stdout',
      '"overview" prints the sections that the API key can read, reports the refused sections, and exits with 5',
    ],
  '`token`, `scan-url`, and `dashboard-url` print the value:': [
    '"scan-url", "dashboard-url", and "token" print only one value on stdout',
  ],
  'Filters are checked before the request.': [
    'if a filter or a field name is invalid, no command sends a request',
  ],
  'If a filter fails on the result of a change, the command prints a warning and the complete result.': [
    '"users create" prints its complete result if its jq filter fails',
  ],
  'If the output format is machine-readable and stderr is not a terminal, an error is one line of JSON on stderr (`facescan help exit-codes`).':
    ['with %s, a failed command prints nothing on stdout and one line of JSON on stderr'],
  'A time without a zone is passed to the service unchanged; the sandbox reads it as UTC.': [
    'a time without a zone is sent without a zone, and the value "today" is sent as midnight UTC',
  ],
  '`7d`, `12h`, `today`, and `now` are in UTC.': [
    'a time can be written as now, today, yesterday, or a duration before now, in UTC',
  ],
  '0 is success, 2 a usage error, 3 a missing or rejected key, 4 not found, 10 a list or import with failed, rejected, or unknown rows, 11 a stopped list or import, and 12 a refused change.':
    [
      'an error for a response with status %i has the exit code %i',
      'a rejected key stops the import with exit code 3, and the import can be resumed',
      '"scan-url" writes a failed user to links.errors.csv, and "scan-url --users links.errors.csv" creates the link of this user',
      'if the request for each user fails with %s, "users get" stops with exit code 11 and can be resumed',
      'a change in production is refused without a confirmation, with only --yes, or with a wrong --confirm',
    ],
  '`--key-file` or `--key-stdin`, `--profile`, `FACESCAN_API_KEY` or `FACESCAN_API_KEY_FILE`, `FACESCAN_PROFILE`, the default profile, the sandbox.':
    [
      '--key-file and --key-stdin override every other key and keep the base URL of the profile',
      '--profile overrides FACESCAN_PROFILE',
      'FACESCAN_API_KEY overrides the stored key of FACESCAN_PROFILE',
      'FACESCAN_PROFILE overrides the default profile',
      'a command uses the built-in sandbox if no profile, key, or base URL is set',
    ],
  'If the key is stored in another profile than the selected profile, or if `--profile` is combined with another key in a variable, the command is refused.':
    [
      'a key that is passed for a profile is refused if another profile stores the key',
      'FACESCAN_API_KEY is refused if the profile on the command line stores another key',
    ],
  'The file is checked before the first answer is sent.': [
    '"answers import" of %s requests only the lookup keys from the service',
  ],
  'The same seed causes the same failures:': [
    'sandboxes with the same seed simulate the same faults for the same requests in any order',
  ],
  '`--shard 3/16 --results results` imports the third of 16 parts; the answers of a user are in one part.': [
    'three shards save each user’s answers once and in order, and "imports merge" adds their row counts',
  ],
  'For commands that accept an action token, `FACESCAN_ACTION_TOKEN` overrides the keys in variables and profiles.':
    ['FACESCAN_ACTION_TOKEN overrides FACESCAN_API_KEY and the key of the profile'],
  'Outside a terminal, or if another profile is stored, a change then exits with code 13.': [
    'if no profile is selected, a change without a terminal exits with 13 and sends nothing: %s',
    'if a profile exists but none is selected, a change on a terminal is refused, and a read-only command uses the sandbox',
  ],
  'Imports and lists with an output file are resumed; other lists start over.': [
    'repeating a stopped import in a script resumes it without a prompt and sends each row once',
    'after exit code 11, the same list %s',
  ],
  'A command that repeats a finished import ends with exit code 12.': [
    'if the command of a finished import is repeated, it prints the result only with --repeat-result',
  ],
  'With `--repeat-result`, it prints the result again.': [
    'if the command of a finished import is repeated, it prints the result only with --repeat-result',
  ],
  'Elsewhere, they show times in RFC 3339 format.': [
    'a time is relative only on a terminal, and a text that is not a time is printed unchanged',
  ],
  'The entire file is checked before the first user is processed.': [
    'if a file is unclear, "%s" sends no request and shows the flags to add',
  ],
  'With `--out links.csv`, they are written to `links.errors.csv`, or to the file of `--errors`.': [
    '"scan-url" writes a failed user to links.errors.csv, and "scan-url --users links.errors.csv" creates the link of this user',
  ],
  'To retry them, run the same command with `--out FILE` again, or pass the errors file to `--users`.': [
    'a repeated "users get" with %s output requests only failed users, and keeps the other rows',
    '"scan-url" writes a failed user to links.errors.csv, and "scan-url --users links.errors.csv" creates the link of this user',
  ],
  'If the service fails for 20 consecutive users, the list stops with exit code 11.': [
    'a run stops after 20 failures of the service in a row, and its output contains none of these failures',
    'after exit code 11, the same list %s',
  ],
  'With `--out FILE`, the same command resumes the list.': ['after exit code 11, the same list %s'],
  'Protected production profiles ignore `--yes`.': [
    'a change in production is refused without a confirmation, with only --yes, or with a wrong --confirm',
  ],
  'In scripts, pass the profile name to `--confirm`; for a deletion, pass the user ID, or the number of users in a list.':
    [
      'a change is sent or refused as documented: %s',
      '--confirm with the number of users confirms the deletion of a list of users',
    ],
  'deletions and changes of the base URL or the audit command need confirmation (default for development)': [
    'a development profile changes its base URL or audit command only after a confirmation',
    'a change is sent or refused as documented: %s',
  ],
  'If the import has just ended, a missing or different answer is checked again after 10 s, because a service can list new answers late.':
    ['if the service lists answers after %i ms, --verify exits with %i and reports %j'],
  '`--dry-run` changes nothing.': [
    'with --dry-run, each command shows its request or number of users, and changes no data',
  ],
  'default; in a pipe, tab-separated, by default without color': [
    'the output in a pipe matches the golden file',
  ],
  'If the list is complete and has no links or tokens, the same command with `--out FILE` sends nothing for 12 hours, and later is refused.':
    [
      'if the list is complete, "%s --out" sends nothing for 12 hours, is refused after 13 hours, and runs again with --renew',
    ],
  'The same command retries the failed users of a finished list, renews expired links and tokens, and replaces the file.':
    [
      'a repeated "users get" with %s output requests only failed users, and keeps the other rows',
      '"scan-url" renews only expired links when it is repeated for a list that is already complete',
    ],
  'A setting such as `--timezone` or `--output` is the default of the flag with the same name.': [
    'a profile setting can be used instead of a required flag, and the flag overrides the setting',
    'the first example of each command has the same exit code with and without settings in the profile',
  ],
  'Commands that change data do not use the language of the profile.': [
    'the language in a profile is used for links, but does not change the language of a user',
  ],
  'If that file was edited, or if a finished import wrote it, they are written to `answers.rejects-2.csv`.': [
    'an import keeps the result files of a finished run and of another import',
    'answers.rejects.csv does not replace the input, a result file of another input, or an edited file',
    'after several unfinished runs, only the result files of the last run remain',
  ],
  'If a part fails, the command exits with the code of the first failed part.': [
    '"overview" prints the sections that the API key can read, reports the refused sections, and exits with 5',
  ],
  'With `--users`, the extension of `--out` selects the format.': [
    'the format of the file depends on --out %s, FACESCAN_OUTPUT=%s, and the flags "%s"',
  ],
  '`.xls`, `.xlsb`, and `.ods` files; workbooks with a password, macros, or links to other workbooks; two-digit years.':
    ['an import refuses a workbook with %s', 'a command refuses a list of users and states the problem: %j'],
}

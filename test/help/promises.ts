/** Promises in the README, help, and man pages, and the titles of the tests that prove them. */
type Promises = Readonly<Record<string, readonly [title: string, ...more: string[]]>>

/** Each title is copied from a test file. In a title, `${name}` is written as %s. */
export const promises: Promises = {
  'It needs no key and no network.': ['a command with the built-in sandbox opens no network connection'],
  'Get started (the built-in sandbox needs no key or network)': [
    'a command with the built-in sandbox opens no network connection',
  ],
  'Commands that change only this machine refuse the flag.': [
    '"%s", which sends no request, refuses --dry-run',
  ],
  'The audit log is not protected against changes by its owner; `facescan profiles set NAME --audit-command` passes each entry to another log.':
    [
      'an audit command receives the start and the outcome of each change, without the external user ID',
      'an audit command is started once for a list of users and receives one entry for each user',
      'an audit command receives one entry for each user that an import created',
    ],
  'facescan sends no telemetry and does not check for updates.': [
    'a command opens network connections only to the service',
    'a command with the built-in sandbox opens no network connection',
  ],
  'If a part of a file is unclear, nothing is sent, and the error shows the flags to add.': [
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
  'Every row is checked before the first request.': [
    'if one row is invalid, an import stops before the first request and reports all errors',
  ],
  'No row is lost, and no accepted row is sent again.': [
    'if imports are killed %s times at random moments, no row is lost, saved twice, or out of order',
    'a resumed import does not resend rows whose states the crashed first run recorded',
  ],
  'Two processes with one state directory never run the same import at the same time, even in two containers.':
    [
      'an import is refused while another process runs the same import',
      'an import is refused if another container with the same host name is running the import',
    ],
  'Each change still needs confirmation and is logged with the reason.': [
    'a read-only profile has the protection "confirm" until its unlock expires',
    '"profiles unlock" allows changes in a read-only profile and logs the reason',
  ],
  'Deletes the user and all of their data, including face scan results.': [
    'deleting a user deletes the user’s scans and answers and makes the user’s tokens invalid',
  ],
  'Sends nothing without --network.': [
    '"doctor" reports no problem on a configured machine and sends nothing',
  ],
  'IDs and links are never truncated.': [
    'an ID is not truncated on a narrow terminal',
    'no line of the golden files wraps, and no ID is truncated',
  ],
  '`facescan schema` describes the JSON output of every command.': [
    'the schema lists every command with its flags',
    'the example "%s" prints JSON that matches the schema of its command',
  ],
  'Tokens and links of a list are never printed to a terminal.': [
    '"token" refuses to print the tokens of a list to a terminal',
  ],
  'Creates each user only once.': [
    '"users import" creates each user once, even if the service accepts duplicate external user IDs',
    'if the service fails and the program is interrupted %s times, each user in a list is created once and deleted once',
  ],
}

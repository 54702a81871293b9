/** A sentence of the README that promises something, and the titles of the tests that prove it. */
type Promises = Readonly<Record<string, readonly [title: string, ...more: string[]]>>

/** Each title is in a test file, as it is written there. */
export const promises: Promises = {
  'It needs no key and no network.': ['a command connects to nothing with the built-in sandbox'],
  'Create a user, record 30 simulated face scans, and list the newest 10 (`--all` lists all of them):': [
    'biomarkers list --all reads more scans than the service returns at once, each once',
  ],
  'Commands that change only this machine refuse the flag.': [
    '"%s" refuses --dry-run, because it sends no request',
  ],
  'If nothing selects a profile, a terminal uses the sandbox, and a script may read from it but not change it.':
    [
      'a change and a read use the sandbox without a warning',
      'a change is refused with exit code 13 and sends nothing: %s',
    ],
  'The audit log is a record for the people who work here, not proof against its owner; `facescan profiles set NAME --audit-command` passes each entry to another log.':
    [
      'receives the intent and the outcome of each change, without the external ID',
      'receives one entry for each user of a list, and is started once',
    ],
  'ID that you choose; the service stores only its hash': ['stores the external ID only as a hash'],
  'sent, but the outcome cannot be proven': [
    'rows that cannot be proven go to the unknown file, which can be imported unchanged',
  ],
  '`facescan help exit-codes` lists all of them.': ['every exit code of the program has a meaning'],
  'facescan sends no telemetry and does not check for updates.': [
    'a command connects only to the service',
    'a command connects to nothing with the built-in sandbox',
  ],
  'Then nothing is sent, and the error shows the flags to add.': [
    'refuses IDs that a spreadsheet has replaced, and uses them with --ids exact',
    'a column userId whose cells are not UUIDs needs a flag',
  ],
  'A row ends in one state (in a wide file, each answer):': [
    'the four states of an import add up to its rows',
    'in wide form, each cell with a value counts as one row',
  ],
  '**accepted** (the service saved it), **rejected** (with the reason), **unknown** (sent, but the outcome cannot be proven), or **unsent** (the import stopped before it).':
    [
      'an import saves every answer in file order and reports the states of the rows',
      'rows that cannot be proven go to the unknown file, which can be imported unchanged',
    ],
  'if another machine or state directory saves answers of the same users meanwhile, equal answers cannot be told apart, and rows become unknown.':
    ['an equal answer that another running import may have saved makes a lost row unknown'],
  'Journals of imports contain no answers and no external user IDs; `facescan imports remove ID` deletes one.':
    ['a journal contains neither answers nor user IDs'],
}

/** Commands and flags of earlier versions, and what replaces them. */
const removed: Readonly<Record<string, string>> = {
  'history verify':
    'Show the log: facescan history list. To keep a log that its owner cannot change, see: facescan profiles set --help',
  '--redact': 'Print only fields without personal data, such as --json=language.',
  '--har': 'Use --debug to trace requests, or --curl to show each request as a curl command.',
}

/** The replacement of a command (`history verify`) or a flag (`--har`) that was removed. */
export function findReplacement(name: string): string | undefined {
  return Object.hasOwn(removed, name) ? removed[name] : undefined
}

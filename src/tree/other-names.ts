/** Names that other command-line tools use, for suggestions only. */
const nouns: Readonly<Record<string, string>> = {
  login: 'profiles add',
  auth: 'profiles',
  config: 'profiles',
  configure: 'profiles add',
  whoami: 'status',
  audit: 'history',
  log: 'history',
  logs: 'history',
  request: 'api',
  version: '--version',
}

const verbs: readonly (readonly string[])[] = [
  ['get', 'show', 'view', 'describe'],
  ['create', 'add', 'new'],
  ['delete', 'remove', 'rm'],
  ['update', 'set', 'edit'],
  ['use', 'switch', 'select'],
]

/** The command that other tools name differently: `login`, or `users show`. */
export function knownElsewhere(given: string, known: readonly string[]): string | undefined {
  const [noun = '', verb] = given.split(' ')
  if (verb === undefined) return Object.hasOwn(nouns, noun) ? nouns[noun] : undefined
  const names = verbs.find((group) => group.includes(verb)) ?? []
  return names.map((name) => `${noun} ${name}`).find((name) => known.includes(name))
}

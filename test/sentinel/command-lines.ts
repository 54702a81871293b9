/** What the sentinel commands are about: one marked user on the service, with files that name them. */
export interface Marked {
  home: string
  serviceUrl: string
  externalUserId: string
  userId: string
  scanId: string
  birthDate: string
  keyFile: string
  importFile: string
}

type Words = (marked: Marked) => string[]

const who = ({ externalUserId }: Marked) => ['--external-user-id', externalUserId]
const whoElse = ({ userId }: Marked) => ['--user-id', userId]
const fixed =
  (line: string): Words =>
  () =>
    line.split(' ')

/** A command line for every command of the program, as a script would write it; some have several. */
export const commandLines: Readonly<Record<string, readonly Words[]>> = {
  'users create': [
    (marked) => ['users', 'create', ...who(marked), '--birth-date', marked.birthDate, '--if-not-exists'],
    (marked) => ['users', 'create', ...who(marked)],
  ],
  'users get': [
    (marked) => ['users', 'get', ...who(marked)],
    (marked) => ['users', 'get', ...whoElse(marked)],
  ],
  'users update': [
    (marked) => ['users', 'update', ...who(marked), '--birth-date', marked.birthDate, '--sex', 'F'],
  ],
  'users delete': [(marked) => ['users', 'delete', ...who(marked), '--dry-run']],
  'scan-url': [
    (marked) => ['scan-url', ...who(marked)],
    (marked) => ['scan-url', ...whoElse(marked), '--qr'],
  ],
  'dashboard-url': [(marked) => ['dashboard-url', ...who(marked)]],
  token: [(marked) => ['token', ...who(marked)], (marked) => ['token', ...whoElse(marked), '--qr']],
  'biomarkers list': [(marked) => ['biomarkers', 'list', ...who(marked)]],
  'biomarkers latest': [(marked) => ['biomarkers', 'latest', ...whoElse(marked)]],
  'biomarkers get': [(marked) => ['biomarkers', 'get', marked.scanId, ...who(marked)]],
  'biomarkers compare': [
    (marked) => ['biomarkers', 'compare', ...who(marked), '--before', '2026-01-01', '--after', '2026-01-01'],
  ],
  metrics: [(marked) => ['metrics', ...who(marked)]],
  wellbeing: [(marked) => ['wellbeing', ...whoElse(marked)]],
  summary: [(marked) => ['summary', 'mental', '--language', 'en', ...who(marked)]],
  recommendations: [(marked) => ['recommendations', ...who(marked)]],
  'answers keys': [fixed('answers keys')],
  'answers list': [(marked) => ['answers', 'list', ...who(marked)]],
  'answers save': [(marked) => ['answers', 'save', 'weight', '80', ...who(marked), '--timezone', 'UTC']],
  'answers import': [
    ({ importFile }) => ['answers', 'import', importFile, '--again'],
    ({ importFile }) => ['answers', 'import', importFile, '--dry-run'],
  ],
  'imports list': [fixed('imports list')],
  'imports show': [fixed('imports show 0')],
  'imports resume': [fixed('imports resume 0')],
  'imports merge': [({ importFile }) => ['imports', 'merge', importFile]],
  'imports remove': [fixed('imports remove 0')],
  'profiles add': [
    ({ keyFile, serviceUrl }) => [
      'profiles',
      'add',
      'SECOND',
      '--key-file',
      keyFile,
      '--base-url',
      serviceUrl,
      '--store',
      'file',
      '--replace',
    ],
    ({ keyFile, serviceUrl }) => [
      'profiles',
      'add',
      'WRONG-DEV',
      '--key-file',
      keyFile,
      '--base-url',
      serviceUrl,
    ],
    ({ keyFile, serviceUrl }) => [
      'profiles',
      'add',
      'THIRD',
      '--key-command',
      `cat '${keyFile}'; echo more`,
      '--base-url',
      serviceUrl,
    ],
  ],
  'profiles list': [fixed('profiles list')],
  'profiles show': [fixed('profiles show ACME')],
  'profiles use': [fixed('profiles use ACME')],
  'profiles set': [fixed('profiles set ACME --protect confirm')],
  'profiles unlock': [fixed('profiles unlock ACME --for 1m --reason ticket')],
  'profiles move-key': [fixed('profiles move-key ACME --store keyring')],
  'profiles remove': [fixed('profiles remove GONE')],
  status: [fixed('status')],
  doctor: [({ home }) => ['doctor', '--network', '--bundle', `${home}/bundle-${Math.random()}.json`]],
  'history list': [fixed('history list')],
  'history verify': [fixed('history verify')],
  demo: [],
  'sandbox serve': [],
  'sandbox scan': [(marked) => ['sandbox', 'scan', ...who(marked)]],
  'sandbox key': [fixed('sandbox key')],
  'sandbox status': [fixed('sandbox status')],
  'sandbox reset': [],
  'sandbox openapi': [fixed('sandbox openapi')],
  api: [
    ({ externalUserId }) => ['api', 'GET', `/v2/users?external_user_id=${externalUserId}`],
    ({ userId }) => ['api', 'PUT', `/v2/users/${userId}`, '-f', 'language=nl'],
    ({ externalUserId }) => [
      'api',
      'POST',
      '/v2/users/authenticate',
      '-f',
      `external_user_id=${externalUserId}`,
    ],
    ({ userId }) => ['api', 'GET', `/v2/unknown/${userId}`],
  ],
  'ce-label': [({ home }) => ['ce-label', '--out', `${home}/label.png`]],
  'widgets biomarker': [
    (marked) => ['widgets', 'biomarker', 'heart_rate', '--face-scan-id', marked.scanId, ...who(marked)],
  ],
  'widgets metric': [(marked) => ['widgets', 'metric', 'mental_stress', ...who(marked)]],
  'widgets graph': [(marked) => ['widgets', 'graph', 'heart_rate', ...who(marked)]],
  schema: [fixed('schema')],
  completion: [fixed('completion bash')],
  help: [fixed('help environment')],
}

/** The commands whose very result is a credential of a user; a raw call to make a token is one of them. */
export function resultIsCredential(words: readonly string[]): boolean {
  if (words.includes('--qr')) return false
  return (
    ['scan-url', 'dashboard-url', 'token'].includes(words[0] ?? '') || words[2] === '/v2/users/authenticate'
  )
}

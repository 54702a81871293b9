import {
  allExamples,
  endless,
  exampleScanId,
  exampleUserId,
  partsOf,
  replaceAll,
} from '../helpers/examples.ts'

/** The marked user of the sentinel commands, and the files that contain the user. */
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

/** Commands without user data that take long, or would reset the sandbox. */
const isSkipped = (name: string) => ['demo', 'sandbox serve', 'sandbox reset'].includes(name)

const usable = (await allExamples()).filter(
  ({ name, line }) => !isSkipped(name) && !endless.test(line) && !/--open|--copy/.test(line),
)

/** The first example of every command. */
const examples = usable.filter(({ name }, index) => usable.findIndex((one) => one.name === name) === index)

/** Command lines in addition to the examples: other credentials, other outputs, and raw calls. */
const more = [
  'facescan users create 4711 --birth-date BIRTH --if-not-exists',
  'facescan users update 4711 --birth-date BIRTH --sex F',
  'facescan users delete 4711 --dry-run',
  `facescan users get --user-id ${exampleUserId}`,
  `facescan scan-url --user-id ${exampleUserId} --qr`,
  `facescan token --user-id ${exampleUserId} --qr`,
  `facescan biomarkers latest --user-id ${exampleUserId}`,
  `facescan wellbeing --user-id ${exampleUserId}`,
  'facescan answers import answers.csv --again',
  'facescan imports merge answers.csv',
  'facescan doctor --network --bundle facescan-support.json',
  'facescan profiles add ACME --key-file KEYFILE --base-url https://api.example.com --store file --replace',
  'facescan profiles add WRONG-DEV --key-file KEYFILE --base-url https://api.example.com',
  'facescan profiles add THIRD --key-command "cat KEYFILE; echo more" --base-url https://api.example.com',
  `facescan api PUT /v2/users/${exampleUserId} -f language=nl`,
  'facescan api POST /v2/users/authenticate -f external_user_id=4711',
  `facescan api GET /v2/unknown/${exampleUserId}`,
]

/** A deletion runs with --dry-run, because later commands need the user. */
function withoutDeletion(words: string[]): string[] {
  const isDeletion = words[1] === 'delete'
  return isDeletion ? [...words.filter((word) => word !== '--yes'), '--dry-run'] : words
}

/** An example of every command, and the additional command lines, for the marked user. */
export function commandLines(marked: Marked): string[][] {
  const stand = [
    ['answers.csv', marked.importFile],
    ['export.csv', marked.importFile],
    ['ce-label.png', `${marked.home}/label.png`],
    ['facescan-support.json', `${marked.home}/bundle-${Math.random()}.json`],
    ['https://api.example.com', marked.serviceUrl],
    ['http://127.0.0.1:4010', marked.serviceUrl],
    [exampleUserId, marked.userId],
    [exampleScanId, marked.scanId],
    ['BIRTH', marked.birthDate],
    ['KEYFILE', marked.keyFile],
  ] as const
  return [...examples.map(({ line }) => line), ...more].map((line) => {
    const words = withoutDeletion(partsOf(line).words).map((word) => replaceAll(word, stand))
    return words.map((word) => word.replace(/\b4711\b/g, marked.externalUserId))
  })
}

/** The commands whose result is a credential of a user, including raw calls that create a token. */
export function resultIsCredential(words: readonly string[]): boolean {
  if (words.includes('--qr')) return false
  return (
    ['scan-url', 'dashboard-url', 'token'].includes(words[0] ?? '') || words[2] === '/v2/users/authenticate'
  )
}

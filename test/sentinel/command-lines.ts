import { exampleUserId, firstOfEach, usableExamples, type Values, wordsOf } from '../helpers/examples.ts'

/** A user whose data the tests search for in the output, and the files that the commands read. */
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

/** The first example of every command. `sandbox reset` is excluded, because it would delete the user. */
const examples = firstOfEach(await usableExamples(['pipe', 'stopped import', 'key store'])).filter(
  ({ name }) => name !== 'sandbox reset',
)

/** Command lines that cover additional credentials, additional output formats, and raw calls. */
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

/** Adds --dry-run to a deletion, because later commands need the user. */
function withoutDeletion(words: string[]): string[] {
  const isDeletion = words[1] === 'delete'
  return isDeletion ? [...words.filter((word) => word !== '--yes'), '--dry-run'] : words
}

/** The command lines for the user whose data the tests search for: an example of every command, and the lines in `more`. */
export function commandLines(marked: Marked): string[][] {
  const { home, externalUserId, userId, scanId, serviceUrl } = marked
  const values: Values = {
    input: () => marked.importFile,
    output: (name) => `${home}/${Math.random()}-${name}`,
    serviceUrl,
    sandboxUrl: serviceUrl,
    externalUserId,
    userId,
    scanId,
  }
  return [...examples.map(({ line }) => line), ...more].map((line) => {
    const filled = line.replace('BIRTH', marked.birthDate).replace('KEYFILE', marked.keyFile)
    return withoutDeletion(wordsOf(filled, values))
  })
}

/** Commands whose result is a credential of a user. Includes raw calls that create a token. */
export function resultIsCredential(words: readonly string[]): boolean {
  if (words.includes('--qr')) return false
  return (
    ['scan-url', 'dashboard-url', 'token'].includes(words[0] ?? '') || words[2] === '/v2/users/authenticate'
  )
}

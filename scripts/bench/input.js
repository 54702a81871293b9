// Creates the inputs of the benchmark: shuffled rows, and request bodies with the same answers.
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'

/** Distance between the users of consecutive rows. The number is prime, so that no user gets a second row until every user has one. */
const step = 618_041
const keys = ['height', 'weight', 'age', 'smoking']

/** Writes the rows of a file. The rows of a user are far apart. */
export async function writeRows(path, users, rowsPerUser) {
  const file = createWriteStream(path)
  file.write('external_user_id,lookup_key,value,timezone\n')
  for (let row = 0; row < rowsPerUser; row++) {
    let text = ''
    for (let n = 0; n < users; n++) {
      const user = (n * step + row) % users
      text += `patient-${user},${keys[(user + row) % keys.length]},${(row % 5) + 1},Europe/Amsterdam\n`
      if (text.length > 1 << 16) {
        if (!file.write(text)) await once(file, 'drain')
        text = ''
      }
    }
    file.write(text)
  }
  await finished(file.end())
}

/**
 * The smallest number of requests that can process these users: one request per user, which contains all answers of the user. If
 * `rowsPerUser` is 0, each request only reads a user.
 */
export function* requestsOf(users, rowsPerUser) {
  for (let user = 0; user < users; user++) {
    if (rowsPerUser === 0) {
      yield { method: 'GET', path: `/v2/users?external_user_id=patient-${user}` }
      continue
    }
    const answers = Array.from({ length: rowsPerUser }, (_, row) => ({
      lookup_key: keys[(user + row) % keys.length],
      value: (row % 5) + 1,
      timezone: 'Europe/Amsterdam',
    }))
    yield {
      method: 'POST',
      path: `/v2/questions/answer/many?external_user_id=patient-${user}`,
      body: JSON.stringify(answers),
    }
  }
}

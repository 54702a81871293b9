// A service that saves answers after a random delay. It pauses at each POST request whose number is in `pauses`. During a pause, it does
// not respond to POST requests. It prints PAUSED if an answer arrives during the pause. SIGUSR2 ends the pause. If `longestHeldMs` is 0,
// the answers that arrive during a pause are saved as usual. Otherwise, they are held until the first of these events: (1) the next run
// lists the answers of a user with a held answer, (2) half of `longestHeldMs` has passed since the next run sent its first request, (3)
// `longestHeldMs` has passed since PAUSED was printed. On SIGTERM, the service prints the saved answers of each user.
import { createServer } from 'node:http'

const [slowestMs, longestHeldMs, ...pauses] = process.argv.slice(2).map(Number)
const saved = new Map()
const json = { 'content-type': 'application/json' }
let posts = 0
let starts = 0
let isPaused = false
let isAnnounced = false
/**
 * Whether the delayed answers were saved. Answers after that are dropped, because an import expects no saves after the timeout of its
 * requests.
 */
let isReleased = false
let release = () => undefined
let released = Promise.resolve()
const heldUsers = new Set()
/**
 * For each user, a promise that resolves after the random delays of the user's answers. The additional delay that a pause causes is not
 * included.
 */
const pending = new Map()
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const never = new Promise(() => undefined)

function pause() {
  isPaused = true
  isAnnounced = false
  isReleased = false
  released = new Promise((resolve) => {
    release = () => {
      isReleased = true
      resolve()
    }
  })
}

function announce() {
  if (isAnnounced) return
  isAnnounced = true
  setTimeout(release, longestHeldMs)
  process.stdout.write('PAUSED\n')
}

async function save(user, answers) {
  const delay = sleep(Math.random() * slowestMs)
  pending.set(user, Promise.all([pending.get(user), delay]))
  await delay
  if (isPaused) announce()
  if (isPaused && longestHeldMs > 0) await hold(user)
  const local_timestamp = new Date().toISOString()
  const items = answers.map(({ lookup_key, value }) => ({
    question_lookup_key: lookup_key,
    answer: value,
    local_timestamp,
  }))
  saved.set(user, [...(saved.get(user) ?? []), ...items])
  if (isPaused) await never
}

async function hold(user) {
  if (isReleased) await never
  heldUsers.add(user)
  await released
  heldUsers.delete(user)
}

async function reply(method, url, text) {
  const user = url.searchParams.get('external_user_id')
  if (url.pathname.endsWith('/all')) {
    // A run requests the lookup keys twice: before it checks its file, and when it starts to send.
    if (++starts === 2) setTimeout(release, longestHeldMs / 2)
    return [200, ['height', 'weight']]
  }
  if (method === 'POST') {
    if (pauses.includes(++posts)) pause()
    const sent = JSON.parse(text)
    await save(user, [sent].flat())
    const items = [sent].flat().map(({ lookup_key, value }) => ({ lookup_key, value, user_id: user }))
    return [201, Array.isArray(sent) ? items : items[0]]
  }
  // If this process was suspended, an older POST request can arrive together with this GET request. The sleep lets the POST request go
  // first.
  await sleep(1)
  await pending.get(user)
  const items = saved.get(user) ?? []
  if (heldUsers.has(user)) release()
  return [200, { items, pagination: { page: 1, total_items: items.length, next_page: null } }]
}

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', async () => {
    const [status, body] = await reply(request.method, new URL(request.url, 'http://localhost'), text)
    response.writeHead(status, json).end(JSON.stringify(body))
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.on('SIGUSR2', () => {
  isPaused = false
  starts = 0
  process.stdout.write('RESUMED\n')
})
process.on('SIGTERM', () => process.stdout.write(`${JSON.stringify([...saved])}\n`, () => process.exit()))

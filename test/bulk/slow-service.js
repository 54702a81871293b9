// A service that saves answers after a random delay. After SIGUSR2, it holds new answers and prints HELD for each of them. It saves the
// held answers when the next run lists the answers of one of their users, or `heldMs` after the next run has started to send.
// Prints POST for each POST request. On SIGTERM, prints the saved answers of each user.
import { createServer } from 'node:http'

/** Maximum time for which an answer is held. An import expects no saves after the timeout of its requests. */
const longestHeldMs = Number(process.argv[3])
const heldMs = longestHeldMs / 2
const slowestMs = Number(process.argv[2])
const saved = new Map()
const json = { 'content-type': 'application/json' }
/** Whether new answers are held: from SIGUSR2 until the next run starts. */
let isHolding = false
let starts = 0
let release = () => undefined
let released = Promise.resolve()
const heldUsers = new Set()
/** Requests that are not saved yet and not held, by user. */
const pending = new Map()
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function save(user, answers) {
  const delay = sleep(Math.random() * slowestMs)
  pending.set(user, Promise.all([pending.get(user), delay]))
  await delay
  if (isHolding) await hold(user)
  const local_timestamp = new Date().toISOString()
  const items = answers.map(({ lookup_key, value }) => ({
    question_lookup_key: lookup_key,
    answer: value,
    local_timestamp,
  }))
  saved.set(user, [...(saved.get(user) ?? []), ...items])
}

async function hold(user) {
  heldUsers.add(user)
  setTimeout(release, longestHeldMs)
  process.stdout.write('HELD\n')
  await released
  heldUsers.delete(user)
}

async function reply(method, url, text) {
  const user = url.searchParams.get('external_user_id')
  if (url.pathname.endsWith('/all')) {
    isHolding = false
    // A run requests the lookup keys before it checks its file, and again when it starts to send.
    if (++starts === 2) setTimeout(release, heldMs)
    return [200, ['height', 'weight']]
  }
  if (method === 'POST') {
    process.stdout.write('POST\n')
    const sent = JSON.parse(text)
    await save(user, [sent].flat())
    const items = [sent].flat().map(({ lookup_key, value }) => ({ lookup_key, value, user_id: user }))
    return [201, Array.isArray(sent) ? items : items[0]]
  }
  // If this process was suspended, a request that was sent much earlier can arrive together with this one.
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
  isHolding = true
  starts = 0
  released = new Promise((resolve) => {
    release = resolve
  })
})
process.on('SIGTERM', () => process.stdout.write(`${JSON.stringify([...saved])}\n`, () => process.exit()))

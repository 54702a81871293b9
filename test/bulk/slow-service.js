// A service that saves answers some time after it has read them. After SIGUSR2, it saves nothing until 900 ms after the next
// run has started. Prints a line for each POST request, and on SIGTERM the answers that it saved, by user.
import { createServer } from 'node:http'

const slowestMs = Number(process.argv[2])
const saved = new Map()
const json = { 'content-type': 'application/json' }
let held = Promise.resolve()
let release = () => undefined
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function save(user, answers) {
  await sleep(Math.random() * slowestMs)
  await held
  const local_timestamp = new Date().toISOString()
  const items = answers.map(({ lookup_key, value }) => ({
    question_lookup_key: lookup_key,
    answer: value,
    local_timestamp,
  }))
  saved.set(user, [...(saved.get(user) ?? []), ...items])
}

async function reply(method, url, text) {
  const user = url.searchParams.get('external_user_id')
  if (url.pathname.endsWith('/all')) {
    setTimeout(release, 900)
    return [200, ['height', 'weight']]
  }
  if (method === 'POST') {
    process.stdout.write('POST\n')
    await save(user, [JSON.parse(text)].flat())
    return [201, []]
  }
  const items = saved.get(user) ?? []
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
  held = new Promise((resolve) => {
    release = resolve
  })
})
process.on('SIGTERM', () => process.stdout.write(`${JSON.stringify([...saved])}\n`, () => process.exit()))

// A minimal service that knows every user: `node server.js MODE`. `latency MS` accepts every save after a delay. `random SHARE` and
// `bucket RATE [LATER_RATE AFTER_SECONDS]` refuse saves with 429. Prints its port. When its standard input ends, prints the accepted and
// refused saves per second.
import { createServer } from 'node:http'

const [mode, ...values] = process.argv.slice(2)
const [first, second = first, afterSeconds = Number.POSITIVE_INFINITY] = values.map(Number)
const latencyMs = mode === 'latency' ? first : 0
const json = { 'content-type': 'application/json' }
const keys = JSON.stringify(['height', 'weight', 'age', 'smoking'])
const user = JSON.stringify({
  user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  customer: 'ACME',
  external_user_id: null,
  birth_date: '1984-02-29',
  sex: 'F',
  language: 'nl',
  preferred_unit_system: 'metric',
})
const seconds = []
let [startedAt, tokens, at] = [undefined, first, 0]

/** Takes one token (for one request) out of a bucket. Unused tokens remain available for one second. */
function takeToken(ms) {
  const rate = ms < afterSeconds * 1000 ? first : second
  tokens = Math.min(rate, tokens + ((ms - at) / 1000) * rate)
  at = ms
  if (tokens < 1) return false
  tokens--
  return true
}

const accepts = { latency: () => true, random: () => Math.random() >= first, bucket: takeToken }[mode]

/** The response with the saved answers (spec 4.5). Its user ID is the external user ID. */
function confirm(url, body) {
  const user_id = url.slice(url.indexOf('=') + 1)
  const sent = JSON.parse(body)
  const items = [sent].flat().map(({ lookup_key, value }) => ({ lookup_key, value, user_id }))
  return JSON.stringify(Array.isArray(sent) ? items : items[0])
}

function answer({ method, url }, body) {
  if (url.startsWith('/v2/questions/all')) return [200, json, keys]
  if (method === 'GET') return [200, json, user]
  startedAt ??= performance.now()
  const ms = performance.now() - startedAt
  const isAccepted = accepts(ms)
  seconds[Math.floor(ms / 1000)] ??= { accepted: 0, refused: 0 }
  seconds[Math.floor(ms / 1000)][isAccepted ? 'accepted' : 'refused']++
  return isAccepted
    ? [201, json, confirm(url, body)]
    : [429, { ...json, 'retry-after': '1' }, '{"detail":"too many requests"}']
}

const server = createServer((request, response) => {
  const reply = () => {
    const [status, headers, body] = answer(request, sent)
    response.writeHead(status, headers).end(body)
  }
  let sent = ''
  request.setEncoding('utf8').on('data', (text) => {
    sent += text
  })
  request.on('end', () => (latencyMs === 0 ? reply() : setTimeout(reply, latencyMs)))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => {
  const counts = Array.from(seconds, (one) => one ?? { accepted: 0, refused: 0 })
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0))
})

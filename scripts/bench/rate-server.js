// A service that limits the rate of saves: `node rate-server.js random SHARE`, or `bucket FIRST SECOND AFTER_SECONDS`.
// Prints its port. When its standard input ends, prints the accepted and refused requests of each second.
import { createServer } from 'node:http'

const [mode, first, second = first, afterSeconds = Number.POSITIVE_INFINITY] = process.argv.slice(2)
const json = { 'content-type': 'application/json' }
const seconds = []
let [startedAt, tokens, at] = [undefined, Number(first), 0]

const perSecond = (ms) => Number(ms < Number(afterSeconds) * 1000 ? first : second)

/** A token bucket stores unused requests for a second. */
function takeToken(ms) {
  tokens = Math.min(perSecond(ms), tokens + ((ms - at) / 1000) * perSecond(ms))
  at = ms
  if (tokens < 1) return false
  tokens--
  return true
}

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.method === 'GET')
      return response.writeHead(200, json).end('["height","weight","age","smoking"]')
    startedAt ??= performance.now()
    const ms = performance.now() - startedAt
    const isAccepted = mode === 'random' ? Math.random() >= Number(first) : takeToken(ms)
    seconds[Math.floor(ms / 1000)] ??= { accepted: 0, refused: 0 }
    seconds[Math.floor(ms / 1000)][isAccepted ? 'accepted' : 'refused']++
    if (isAccepted) response.writeHead(201, json).end('[]')
    else response.writeHead(429, { ...json, 'retry-after': '1' }).end('{"detail":"too many requests"}')
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => {
  process.stdout.write(
    `${JSON.stringify(Array.from(seconds, (one) => one ?? { accepted: 0, refused: 0 }))}\n`,
  )
  process.exit(0)
})

// A minimal service that accepts every answer and knows every user. Replies after a fixed latency. Prints its port and, when its standard input closes, the
// number of requests and bytes.
import { createServer } from 'node:http'

const latencyMs = Number(process.argv[2] ?? 0)
const keys = JSON.stringify(['height', 'weight', 'age', 'smoking'])
const json = { 'content-type': 'application/json' }
const user = JSON.stringify({
  user_id: '5151d12e-2f9a-4d7a-962f-fd85d23bd68b',
  customer: 'ACME',
  external_user_id: null,
  birth_date: '1984-02-29',
  sex: 'F',
  language: 'nl',
  preferred_unit_system: 'metric',
})
let [posts, bytes] = [0, 0]

const server = createServer((request, response) => {
  request.on('data', (chunk) => {
    bytes += chunk.length
  })
  request.on('end', () => {
    if (request.url.startsWith('/v2/questions/all')) return response.writeHead(200, json).end(keys)
    const isRead = request.method === 'GET'
    if (!isRead) posts++
    const answer = () => response.writeHead(isRead ? 200 : 201, json).end(isRead ? user : '[]')
    if (latencyMs === 0) answer()
    else setTimeout(answer, latencyMs)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.resume().on('end', () => {
  process.stdout.write(`${JSON.stringify({ posts, bytes })}\n`)
  process.exit(0)
})

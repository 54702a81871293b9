// A minimal service that accepts every answer after a fixed latency. Prints its port and, when its standard input closes, the
// number of requests and bytes.
import { createServer } from 'node:http'

const latencyMs = Number(process.argv[2] ?? 0)
const keys = JSON.stringify(['height', 'weight', 'age', 'smoking'])
const json = { 'content-type': 'application/json' }
let [posts, bytes] = [0, 0]

const server = createServer((request, response) => {
  request.on('data', (chunk) => {
    bytes += chunk.length
  })
  request.on('end', () => {
    if (request.method === 'GET') return response.writeHead(200, json).end(keys)
    posts++
    const answer = () => response.writeHead(201, json).end('[]')
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

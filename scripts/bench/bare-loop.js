// The fastest possible program, for comparison. Sends prepared requests with undici at a fixed concurrency. Has no checks and no journal.
import { Pool } from 'undici'
import { requestsOf } from './input.js'

const [url, users, rowsPerUser, inFlight, key] = process.argv.slice(2)
const prepared = [...requestsOf(Number(users), Number(rowsPerUser))]
const headers = { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json' }
const pool = new Pool(url, { connections: Number(inFlight), pipelining: 1 })

const startedAt = performance.now()
let next = 0
async function work() {
  while (next < prepared.length) {
    const reply = await pool.request({ ...prepared[next++], headers })
    await reply.body.text()
  }
}
await Promise.all(Array.from({ length: Number(inFlight) }, work))
process.stdout.write(`${(performance.now() - startedAt) / 1000}\n`)
await pool.close()

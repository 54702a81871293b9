// Serves a sandbox until standard input ends. The first line on standard output contains the URL and the keys.
import { startSandbox } from '../../src/sandbox/server.ts'

const [database = '', announce] = process.argv.slice(2)
const sandbox = await startSandbox({ strict: true, database, announce: announce === 'announce' })
process.stdout.write(`${JSON.stringify({ url: sandbox.url, keys: sandbox.keys })}\n`)
process.stdin.resume()
process.stdin.on('end', () => void sandbox.close())

// What Node's own reader of lines costs.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

let lines = 0
const input = createReadStream(process.argv[2], { highWaterMark: 1 << 18 })
for await (const _line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) lines++
if (lines === 0) throw new Error('the file is empty')

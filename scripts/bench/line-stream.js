// What reading costs at the very least: the lines of a file piece by piece, and nothing else.
import { createReadStream } from 'node:fs'

let [lines, rest] = [0, '']
for await (const chunk of createReadStream(process.argv[2], { encoding: 'utf8', highWaterMark: 1 << 18 })) {
  const parts = (rest + chunk).split('\n')
  rest = parts.pop()
  lines += parts.length
}
if (lines === 0) throw new Error('the file is empty')

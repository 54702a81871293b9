// What anybody would write to get at the lines of a file.
import { readFileSync } from 'node:fs'

const lines = readFileSync(process.argv[2], 'utf8').split('\n')
if (lines.length < 2) throw new Error('the file is empty')

// The minimum for a comparison: splits a file into lines.
import { readFileSync } from 'node:fs'

const lines = readFileSync(process.argv[2], 'utf8').split('\n')
if (lines.length < 2) throw new Error('the file is empty')

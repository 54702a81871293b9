import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const pages = ['README.md', 'CONTRIBUTING.md'].map((file) => readFileSync(file, 'utf8')).join('\n')
const named = new Set(['test', ...[...pages.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)])

test.each([...named].filter((name) => name !== 'setup'))('"npm run %s" makes a fresh clone ready', (name) => {
  expect(scripts[name]).toMatch(/^node scripts\/setup\.js && /)
})

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { facescan, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

/** The development dependencies that the program imports. The other development dependencies are tools. */
function importedPackages(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  const texts = files.map((file) => readFileSync(join('src', file), 'utf8'))
  const imports = texts.flatMap((text) => [...text.matchAll(/(?:from |import\()'((?:@[^/']+\/)?[^/']+)/g)])
  const names = imports.map(([, name = '']) => name)
  return [...new Set(names)].filter((name) => name in devDependencies).sort()
}

test('the list facescan.bundled in package.json contains each dependency whose code is shipped', () => {
  expect(facescan.bundled).toEqual(importedPackages())
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  integrity?: string
  link?: boolean
  optional?: boolean
  dev?: boolean
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>
}

test('every package of the lock file has an integrity hash, except the formatter for other platforms', () => {
  const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link)
  expect(installed.length).toBeGreaterThan(100)
  const unchecked = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'))
  // npm writes no hash for an optional package that its registry does not have.
  const isFormatter = ([path, { optional, dev }]: (typeof installed)[number]) =>
    path.startsWith('node_modules/@biomejs/cli-') && optional && dev
  expect(unchecked.filter((entry) => !isFormatter(entry)).map(([path]) => path)).toEqual([])
})

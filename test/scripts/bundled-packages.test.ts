import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const { facescan, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

interface Meta {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

/** The development dependencies whose code is in the bundle. All others are tools. */
function bundledPackages(): string[] {
  const { outputs } = JSON.parse(readFileSync('dist/meta.json', 'utf8')) as Meta
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path)
  const names = used.map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1])
  return [...new Set(names)]
    .filter((name) => name !== undefined && name in devDependencies)
    .sort() as string[]
}

test('package.json lists under facescan.bundled the dependencies whose code is shipped', () => {
  expect(facescan.bundled).toEqual(bundledPackages())
})

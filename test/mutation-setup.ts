import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

// Loads the modules of the mutated folder before the tests, so that Stryker ignores the mutants of their constants. A constant gets its value
// when its module is loaded, and no mutant is active at that time.
const folder = resolve('src', process.env['FACESCAN_MUTATION_FOLDER'] ?? 'http')
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.ts')) await import(resolve(folder, name))

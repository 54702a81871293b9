import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'

// Loads the modules of the mutated folder before the tests. A constant gets its value when its module is loaded. At that time, no mutant
// is active, so Stryker ignores mutants of constants.
const folder = resolve('src', process.env['FACESCAN_MUTATION_FOLDER'] ?? 'http')
for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  if (name.endsWith('.ts')) await import(resolve(folder, name))

import { currentArea } from './scripts/mutation-areas.js'

const { name, mutate } = currentArea()

// Mutation tests for one area: `npm run test:mutation -- http`.
// String literals are not mutated: a reworded message does not show whether a test is good.
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation.config.ts', related: false },
  mutate,
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // Stryker cannot read tsconfig.json, because TypeScript 7 has no JavaScript API.
  tsconfigFile: 'none',
  concurrency: 1,
  // Long enough for a busy machine: a mutant that is only slow must not count as detected.
  timeoutMS: 20_000,
  // Reuses the results of mutants whose code and tests have not changed.
  incremental: true,
  incrementalFile: `reports/mutation/${name}-known.json`,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
}

import { currentArea } from './scripts/mutation-areas.js'

const { name, mutate } = currentArea()

// Mutation testing, an area at a time: `npm run test:mutation -- http`.
// Text is left as it is: a mutant that only rewords a message says nothing about a test.
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation.config.ts', related: false },
  mutate,
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // TypeScript 7 has no API that Stryker could read the file with; nothing here needs it to.
  tsconfigFile: 'none',
  concurrency: 1,
  // Enough for a machine that has other things to do: a mutant that is only slow must not count as found.
  timeoutMS: 20_000,
  // Mutants of code and tests that have not changed keep their result.
  incremental: true,
  incrementalFile: `reports/mutation/${name}-known.json`,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: `reports/mutation/${name}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
}

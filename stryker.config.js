// Mutation testing of what the HTTP core decides without a connection: `npm run test:mutation`.
// Text is left as it is: a mutant that only rewords a message says nothing about a test.
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation.config.ts', related: false },
  mutate: ['path', 'proxy', 'redact', 'retry'].map((name) => `src/http/${name}.ts`),
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // TypeScript 7 has no API that Stryker could read the file with; nothing here needs it to.
  tsconfigFile: 'none',
  concurrency: 2,
  timeoutMS: 5_000,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'reports/mutation.json' },
  clearTextReporter: { allowColor: false, reportTests: false },
}

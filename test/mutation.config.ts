import { defineConfig } from 'vitest/config'

const folder = process.env['FACESCAN_MUTATION_FOLDER'] ?? 'http'
/** Tests of complete imports. They detect mutants in every folder below src/bulk. */
const imports = folder.startsWith('bulk/')
  ? ['test/bulk/{dirt,encodings,values,forms,shard,summary,imports}.test.ts']
  : []

/** Tests of complete commands, by the folder that they use. */
const commands: Record<string, string[]> = {
  http: ['test/contract/lenient.test.ts', 'test/commands/{api,misshapen,network}.test.ts'],
  base: ['test/{profiles,http}/**/*.test.ts', 'test/commands/{leaks,profiles}.test.ts'],
  profiles: ['test/commands/{profiles,profile-settings,protection,unselected,reference}.test.ts'],
  'bulk/results': ['test/commands/{import,import-verify}.test.ts', 'test/framework/many/users-file.test.ts'],
  'bulk/rows': [
    'test/bulk/lists/*.test.ts',
    'test/bulk/workbook/workbook.test.ts',
    'test/commands/users-with-answers.test.ts',
  ],
  'framework/many': [
    'test/commands/{create-once,invite,shards,users-with-answers}.test.ts',
    'test/context/prompt-texts.test.ts',
    'test/help/schema.test.ts',
  ],
  'bulk/lists': ['test/framework/many/{users-file,run-again,repeated-rows}.test.ts'],
}

/** Only the tests of the mutated folder, because each mutant runs all selected tests. */
export default defineConfig({
  test: {
    include: [`test/${folder}/**/*.test.ts`, ...imports, ...(commands[folder] ?? [])],
    // These files are excluded, because their tests start processes or need a session bus.
    exclude: [
      'test/profiles/{keyring,processes}.test.ts',
      'test/bulk/writers/many-marks.test.ts',
      'test/framework/many/{killed,resume}.test.ts',
    ],
    setupFiles: ['test/mutation-setup.ts'],
    testTimeout: 30_000,
    restoreMocks: true,
    env: { TZ: 'UTC', FACESCAN_FUZZ_RUNS: folder === 'bulk/scan' ? '500' : '30' },
  },
})

const folder = process.env['FACESCAN_MUTATION_FOLDER'] ?? 'http'
const report = `reports/mutation/${folder.replace('/', '-')}`

// Mutation tests of one folder: `npm run test:mutation -- http`.
// Known survivors that do not show a missing test, as of 2026-11-28:
// - every folder: a shortcut that only saves time; `force` of rmSync where an error is ignored; `?.` after a condition that excludes undefined;
//   a first value of a list, a set, or a row that has no effect on the known names; a condition that only the compiler needs;
//   the limit of a cache
// - http/meaning.ts: `status === undefined` as false, because each later comparison with undefined is false, too
// - http/meaning.ts: `text === undefined` as false, because undefined is neither a number nor a date
// - http/body-check.ts: `!(error instanceof BadBody)` as false, because reading a body throws no other error
// - http/dispatcher.ts: the choice of an address of a host name that has several addresses, because localhost can have only one
// - http/failure.ts: `expiry !== undefined` as true, because a comparison with NaN is false
// - profiles/guard.ts: a fresh check of the protection if no question was asked, which only takes longer
// - profiles/guard.ts: `estimatedSeconds !== undefined` as true, because undefined is not less than a number
// - profiles/profile.ts: an unlock without one of its times, because a comparison with NaN is false
// - profiles/determine-session.ts: an empty profile file, because no profile is found in it, too
// - profiles/keyring.ts and runBounded in key-command.ts: their tests need a session bus or start processes, and do not run here
// - bulk/scan/cells.ts: the size of a buffer that is large enough, and the first values of arrays that are overwritten
// - bulk/results/staged-file.ts: the number of bytes in memory, which does not change the file
// - bulk/results/result-folder.ts: a file that another process creates between the check of its name and its creation
// - bulk/results/result-file.ts: a record that is missing in the input; the single reason, which is joined like several reasons
// - audit/audit-command.ts: values that differ only on Windows, and a timer that does not delay the exit
// - audit/audit-command.ts: a shell that cannot start, and the memory for an error text, of which only the last line is shown
// - audit/changes.ts: a file that another process renames between two checks
// - audit/log.ts: the name of a user without a name, and whether the disk confirms a write, which only a power failure shows,
//   and a program that ends between two checks
// - bulk/send/response-check.ts: the size at which the set of IDs grows, except a set without a free slot
// - bulk/send/batch-sender.ts: the stop before a problem is recorded, because the run stops with the same error afterward
// - bulk/rows/open-table.ts: an exact header that is not recognized, because the detection of other headers finds the same table
// - bulk/rows/byte-names.ts: the name that was found last, and the bytes of a hash, because names are compared completely
// - bulk/rows/dates.ts: the shortcut for the bytes of a date, because other dates are checked as texts
// - bulk/rows/time-zones.ts: the list of time zones, which is created once for all tests
// - bulk/engine/engine.ts: `once` of a listener that is removed anyway, and the wait for a stopped engine, which ends at once
// - bulk/journal/file.ts: the exception for Windows
// - bulk/journal/journal.ts: whether a wait of less than 1 ms uses a timer, which only saves time
// - bulk/workbook: limits of sizes that a test reaches only after seconds, values at exactly such a limit, and the size of a buffer
// - bulk/workbook: the ends of patterns for the names and types of parts, because no program adds characters to them
// - bulk/spool/scratch.ts: values that differ only on Windows
// On a busy machine, a mutant can time out because it is slow. It then counts as detected, so repeat its file with `--force`.
// String literals are not mutated: a reworded message does not show whether a test is good.
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation.config.ts', related: false },
  mutate: [`src/${folder}/**/*.ts`],
  mutator: { excludedMutations: ['StringLiteral', 'ObjectLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // Stryker cannot read tsconfig.json, because TypeScript 7 has no JavaScript API.
  tsconfigFile: 'none',
  concurrency: 1,
  // Long enough for a busy machine, so that a slow mutant does not count as detected.
  timeoutMS: 20_000,
  // Reuses the results of mutants whose code and tests have not changed.
  incremental: true,
  incrementalFile: `${report}-known.json`,
  reporters: ['clear-text', 'json', 'progress-append-only'],
  jsonReporter: { fileName: `${report}.json` },
  clearTextReporter: { allowColor: false, reportTests: false },
}

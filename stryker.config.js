const folder = process.env['FACESCAN_MUTATION_FOLDER'] ?? 'http'
const report = `reports/mutation/${folder.replace('/', '-')}`

// Mutation tests of one folder: `npm run test:mutation -- http`.
// Mutants that survive although no test is missing, as of 2026-11-28. Each entry states the mutated code, and
// the reason if it is not obvious:
// - every folder: a shortcut that only saves time; `force` of rmSync where an error is ignored; `?.` after a condition that excludes
//   undefined; a first value of a list, a set, or a row that has no effect on the known names; a condition that only the compiler needs;
//   the limit of a cache
// - http/meaning.ts: `status === undefined` replaced with false, because each later comparison with undefined is also false
// - http/meaning.ts: `text === undefined` replaced with false, because undefined is not a number and not a date
// - http/body-check.ts: `!(error instanceof BadBody)` replaced with false, because reading a body throws no other error
// - http/dispatcher.ts: the choice of an address of a host name that has several addresses, because localhost can have only one
// - http/failure.ts: `expiry !== undefined` replaced with true, because a comparison with NaN is false
// - profiles/guard.ts: an additional read of the profile file if no question was asked, because it only takes time
// - profiles/guard.ts: `estimatedSeconds !== undefined` replaced with true, because undefined is not less than a number
// - profiles/profile.ts: an unlock in which a time is missing, because a comparison with NaN is false
// - profiles/determine-session.ts: an empty profile file, because it has the same effect as a file in which the profile is missing
// - profiles/keyring.ts and runBounded in key-command.ts: their tests need a session bus or start processes, and do not run here
// - bulk/scan/cells.ts: the size of a buffer that is large enough, and the first values of arrays that are overwritten
// - bulk/results/staged-file.ts: the number of bytes in memory, because it does not change the file
// - bulk/results/result-folder.ts: a file that another process creates between the check of its name and its creation
// - bulk/results/result-file.ts: a record that is missing in the input; the special case for a single reason,
//   because joining one reason has the same result
// - audit/audit-command.ts: values that differ only on Windows, and a timer that does not delay the exit
// - audit/audit-command.ts: a shell that cannot start; the limit for an error text in memory, because only its last line is shown
// - audit/log.ts: the logged name if the system user has no name; the wait until the disk confirms a write, because only a power failure
//   shows the effect; a program that ends between two checks
// - bulk/send/response-check.ts: the size at which the set of IDs grows, unless the set has no free slot
// - bulk/send/batch-sender.ts: the stop before a problem is recorded, because the run stops with the same error afterward
// - bulk/rows/open-table.ts: the detection of an exact header, because the detection of other headers finds the same table
// - bulk/rows/sample.ts: a sample that ends one byte later
// - bulk/rows/byte-names.ts: the name that was found last, and the bytes of a hash, because names are compared completely
// - bulk/rows/dates.ts: the shortcut for the bytes of a date, because other dates are checked as texts
// - bulk/rows/encodings.ts: `stream` of a decoder, because only some versions of Node need it
// - bulk/rows/user-ids.ts: the fast check of usual IDs, because other IDs are checked completely; a column that is missing;
//   the limit of 200,000 pairs, because a test would take seconds
// - bulk/rows/record-reader.ts: cells that are checked for spaces or quotation marks although they have none; the two checks for a NUL byte
// - bulk/rows/time-zones.ts: the list of time zones, because it is created once for all tests
// - bulk/engine/engine.ts: `once` of a listener that is removed anyway, and the wait for a stopped engine, which ends at once
// - bulk/journal/file.ts: the exception for Windows
// - bulk/journal/journal.ts: the timer for a wait of less than 1 ms, because it only saves time
// - bulk/workbook: limits of sizes that a test reaches only after seconds, values at exactly such a limit, and the size of a buffer
// - bulk/workbook: the ends of patterns for the names and types of parts, because no program adds characters to them
// - bulk/spool/scratch.ts: values that differ only on Windows
// - framework/many/conclude.ts: `/^./` replaced with `/./`, because only the first match is replaced
// - framework/many/list-files.ts: rows of a complete journal that no later run reads, because they only use space
// - framework/many/list-files.ts, framework/many/resumable-file.ts: a link that expires in exactly the current millisecond
// - framework/many/resumable-file.ts: the time between two saves, because only a crash shows the effect
// Stryker selects tests with one pattern of their titles. If the titles of a folder have more than about 100,000 characters, the pattern is
// too large, and mutants count as errors. Therefore, a title must not contain a long text.
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

// The files that mutation testing changes, and the tests that must notice. Stryker runs the tests that reach a mutant.
const each = (folder, names) => names.split(' ').map((name) => `src/${folder}/${name}.ts`)

/**
 * @typedef {object} Area
 * @property {string[]} mutate
 * @property {string[]} tests
 * @property {string[]} [without] Slow tests that find few mutants.
 * @property {number} [runs] Inputs per property test.
 */

/** @type {Record<string, Area>} */
export const areas = {
  // Excluded: transport and dispatcher (only a network shows a difference), client and wire (types and tables).
  http: {
    mutate: each(
      'http',
      'path proxy redact retry reply decode send exchange request har certificate tunnel trace curl',
    ),
    tests: ['test/http/**/*.test.ts'],
  },
  // Excluded from bulk: files that open, lock and stream, and the main loop. Kill tests and complete imports cover them.
  'bulk-scan': {
    mutate: each('bulk/scan', '*'),
    tests: ['test/bulk/scan/*.test.ts', 'test/bulk/{dirt,forms}.test.ts'],
    runs: 500,
  },
  'bulk-rows': {
    mutate: each('bulk/rows', '*'),
    tests: ['test/bulk/rows/*.test.ts', 'test/bulk/{dirt,forms}.test.ts'],
  },
  'bulk-spool': {
    mutate: each('bulk/spool', 'batch-cutter grouping user-groups user-order spool-record'),
    tests: ['test/bulk/spool/grouping.test.ts'],
  },
  'bulk-results': {
    mutate: [
      ...each('bulk', 'merge shard summary'),
      ...each('bulk/results', 'json-result record-copy result-file'),
    ],
    tests: ['test/bulk/results/*.test.ts', 'test/bulk/{merge,shard,summary,imports}.test.ts'],
  },
  'bulk-journal': {
    mutate: each('bulk/journal', 'journal record recovery state'),
    tests: ['test/bulk/journal/*.test.ts', 'test/bulk/send/resume.test.ts', 'test/bulk/imports.test.ts'],
  },
  'bulk-send': {
    mutate: [
      ...each('bulk/pace', '*'),
      ...each(
        'bulk/send',
        'outcomes judge reconciler causes delivery ledger lane task resumption api-service address-check service-clock tally latencies',
      ),
    ],
    tests: ['test/bulk/{pace,send}/*.test.ts'],
  },
  // Excluded: the keyring, because its tests need a session bus, and tests that start processes.
  profiles: {
    mutate: each(
      'profiles',
      'guard session determine-session choose-profile credential edit-profiles key-stores key-command profile profile-file profile-schema history history-files read-history list-profiles secret',
    ),
    tests: ['test/profiles/*.test.ts'],
    without: ['test/profiles/{keyring,processes}.test.ts'],
  },
}

/** The area in the environment, set by `npm run test:mutation`. */
export function currentArea() {
  const name = process.env['FACESCAN_MUTATION_AREA'] ?? 'http'
  const area = areas[name]
  if (!area) throw new Error(`no area ${name}: there are ${Object.keys(areas).join(', ')}`)
  return { name, ...area }
}

/** Number of generated inputs per property. `npm run test:fuzz` sets a higher number. */
export const fuzzRuns = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 100)

/** Number of generated inputs for properties with a terminal emulator, because rendering is slow. */
export const emulatorRuns = Math.min(fuzzRuns, 2_000)

/** Time limit in ms of a test with this number of inputs. */
export const fuzzTimeoutMs = 180_000 + fuzzRuns * 20

/** Number of generated inputs per property. `npm run test:fuzz` sets a higher number. */
export const fuzzRuns = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 100)

/** Number of generated inputs for each property test that uses a terminal emulator. It is limited, because rendering is slow. */
export const emulatorRuns = Math.min(fuzzRuns, 2_000)

/** Time limit in ms of a test with this number of inputs. */
export const fuzzTimeoutMs = 180_000 + fuzzRuns * 20

/** Number of generated inputs for each property. `npm run test:fuzz` sets a higher number. */
export const fuzzRuns = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 100)

/** Number of generated inputs for properties that render each input in a terminal emulator. Rendering is slow. */
export const emulatorRuns = Math.min(fuzzRuns, 2_000)

/** Time limit of a test with that many inputs. */
export const fuzzTimeoutMs = 180_000 + fuzzRuns * 20

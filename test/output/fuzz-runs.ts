/** Inputs generated for each property; `npm run test:fuzz` asks for many more. */
export const fuzzRuns = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 100)

/** The same where each input is shown by a terminal emulator, which takes its time. */
export const emulatorRuns = Math.min(fuzzRuns, 2_000)

/** How long a test with that many inputs may take. */
export const fuzzTimeoutMs = 30_000 + fuzzRuns * 20

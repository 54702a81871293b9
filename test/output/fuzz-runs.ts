/** Inputs generated for each property; `npm run test:fuzz` asks for many more. */
export const fuzzRuns = Number(process.env['FACESCAN_FUZZ_RUNS'] ?? 100)

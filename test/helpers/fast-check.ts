import fc from 'fast-check'

/**
 * fast-check with the same inputs in every run of `npm test`, so that a red test is about the change at hand. New inputs are for
 * `npm run test:fuzz`; FACESCAN_FUZZ_SEED repeats one of its runs.
 */
const { FACESCAN_FUZZ_SEED, FACESCAN_FUZZ_RUNS } = process.env
const seed = FACESCAN_FUZZ_SEED ?? (FACESCAN_FUZZ_RUNS === undefined ? '7' : undefined)
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(seed !== undefined && { seed: Number(seed) }) })

export default fc

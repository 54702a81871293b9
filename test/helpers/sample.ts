/** Whether every case of a sweep runs: in `npm run test:full`. `npm test` runs a fixed sample. */
export const runsAll = process.env['FACESCAN_TEST_ALL'] === 'true'

/**
 * Every nth case in `npm test`, all cases in `npm run test:full`. Tests with the same cases pass different values of `first`, so they run
 * different cases.
 */
export function sample<T>(cases: readonly T[], every: number, first = 0): T[] {
  return cases.filter((_, index) => runsAll || index % every === first % every)
}

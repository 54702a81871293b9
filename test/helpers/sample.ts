/** Whether every case of a sweep runs, as in `npm run test:full`. `npm test` runs a fixed sample. */
export const runsAll = process.env['FACESCAN_TEST_ALL'] === 'true'

/**
 * In `npm run test:full`, all cases. In `npm test`, one case in each group of `every` cases. Tests that share cases use different values of
 * `first`, so that their samples differ.
 */
export function sample<T>(cases: readonly T[], every: number, first = 0): T[] {
  return cases.filter((_, index) => runsAll || index % every === first % every)
}

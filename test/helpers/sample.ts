/** Whether every case of a sweep runs, as in `npm run test:full`. `npm test` runs a fixed sample. */
export const runsAll = process.env['FACESCAN_TEST_ALL'] === 'true'

/**
 * Every nth case in `npm test`, and all cases in `npm run test:full`. Tests with the same cases use different values of `first`, so that
 * their samples differ.
 */
export function sample<T>(cases: readonly T[], every: number, first = 0): T[] {
  return cases.filter((_, index) => runsAll || index % every === first % every)
}

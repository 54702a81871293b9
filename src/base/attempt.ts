/** The result of `work`, or undefined if it throws, for work that can fail for only one reason. */
export function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

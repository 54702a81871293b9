/** The result of `work`, or undefined if it throws and the reason does not matter. */
export function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

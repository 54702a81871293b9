/** Returns a function that calls `create` once and then returns the same value, whatever its arguments. */
export function once<Arguments extends unknown[], Value>(
  make: (...values: Arguments) => Value,
): (...values: Arguments) => Value {
  let made: Value | undefined
  return (...values) => {
    made ??= make(...values)
    return made
  }
}

/** The result of `work`. Undefined if `work` throws, for callers that do not need the reason. */
export function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

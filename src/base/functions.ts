/** Creates the value on the first call and returns the same value on every later call, whatever its arguments. */
export function once<Arguments extends unknown[], Value>(
  make: (...values: Arguments) => Value,
): (...values: Arguments) => Value {
  let made: Value | undefined
  return (...values) => {
    made ??= make(...values)
    return made
  }
}

/** The result of `work`, or undefined if it throws and the reason does not matter. */
export function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

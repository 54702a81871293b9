/** Returns a function that calls `make` only once. Later calls return the first value, even if their arguments are different. */
export function once<Arguments extends unknown[], Value>(
  make: (...values: Arguments) => Value,
): (...values: Arguments) => Value {
  let made: Value | undefined
  return (...values) => {
    made ??= make(...values)
    return made
  }
}

/** The result of `work`, or undefined if `work` throws and the caller does not need the error. */
export function orUndefined<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** The value of a property of the table. Properties of the prototype are excluded, because `name` can be `constructor`. */
export function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

/** The number with at most two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

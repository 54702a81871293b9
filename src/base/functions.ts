/** Returns a function that calls `make` once. Later calls return the value of the first call, even with other arguments. */
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

/** The value of a property of the table itself, not of its prototype, because `name` can be `constructor`. */
export function own<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

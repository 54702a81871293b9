/** Creates the value on the first call and returns the same value on every later call. */
export function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

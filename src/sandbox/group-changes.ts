interface Change {
  run(): unknown
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** A commit takes longer than most changes, so all changes in one turn of the event loop share a commit. */
export function groupChanges(
  transaction: <T>(work: () => T) => T,
  changedRows: () => number,
): <T>(work: () => T) => Promise<T> {
  let waiting: Change[] = []
  const attempt = ({ run, resolve, reject }: Change) => {
    const before = changedRows()
    try {
      const result = run()
      return () => resolve(result)
    } catch (error) {
      if (changedRows() !== before) throw error
      return () => reject(error)
    }
  }
  const commit = () => {
    const group = waiting
    waiting = []
    try {
      for (const settle of transaction(() => group.map(attempt))) settle()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  return (work) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ run: work, resolve: resolve as Change['resolve'], reject }) === 1)
        setImmediate(commit)
    })
}

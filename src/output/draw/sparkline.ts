const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** One character per value, scaled from the lowest to the highest value. A missing value is a space. */
export function sparkline(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined)
  const low = Math.min(...known)
  const span = Math.max(...known) - low
  return values
    .map((value) => {
      if (value === undefined) return ' '
      const level = span === 0 ? 3 : Math.round(((value - low) / span) * (levels.length - 1))
      return levels[level] ?? ' '
    })
    .join('')
}

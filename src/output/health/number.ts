/** A number with at most two decimals and no trailing zeros: 82, 87.5, 67.37. */
export function formatNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** What a reply holds where a number is due; other shapes count as no number. */
export function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

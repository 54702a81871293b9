/** To two decimals at most. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** A number with at most two decimals and no trailing zeros: 82, 87.5, 67.37. */
export function formatNumber(value: number): string {
  return String(rounded(value))
}

/** What a reply holds where a number is due; other shapes count as no number. */
export function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

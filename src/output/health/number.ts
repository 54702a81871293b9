/** Rounded to at most two decimals. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** A number with at most two decimals and no trailing zeros: 82, 87.5, 67.37. */
export function formatNumber(value: number): string {
  return String(rounded(value))
}

/** The number in a reply; any other value is treated as missing. */
export function numberOrUndefined(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Like `numberOrUndefined`, for a field that JSON must contain. */
export function numberOrNull(value: unknown): number | null {
  return numberOrUndefined(value) ?? null
}

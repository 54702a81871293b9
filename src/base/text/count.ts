/** A whole number with commas: `12,345`. `Intl.NumberFormat` takes too long to load. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A number and its noun: `1 row`, `12,345 rows`. The plural is formed by adding s. */
export function countOf(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? '' : 's'}`
}

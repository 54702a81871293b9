/** A whole number with commas: `12,345`. The platform's own formats are slow to load. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** How many there are of a thing that takes an s: `1 row`, `12,345 rows`. */
export function countOf(value: number, thing: string): string {
  return `${count(value)} ${thing}${value === 1 ? '' : 's'}`
}

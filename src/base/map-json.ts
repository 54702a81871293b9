/**
 * A copy of a JSON value in which `mapLeaf` replaces each text, number, boolean, and null, and `mapMember` the name and the
 * value of each member of an object. A date is a leaf.
 */
export function mapJson(
  value: unknown,
  mapLeaf: (leaf: unknown) => unknown,
  mapMember: (name: string, inner: unknown) => [string, unknown],
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapJson(item, mapLeaf, mapMember))
  if (typeof value !== 'object' || value === null || value instanceof Date) return mapLeaf(value)
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => mapMember(name, inner)))
}

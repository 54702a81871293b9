/** A JSON Schema of the few keywords that the schemas of this program come down to. */
export interface Shape {
  type?: string | readonly string[]
  anyOf?: readonly Shape[]
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  minimum?: number
  maximum?: number
  items?: Shape | false
  prefixItems?: readonly Shape[]
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  additionalProperties?: Shape | false
  propertyNames?: Shape
}

/**
 * Whether a value that was read from JSON has a shape, in less time than zod takes to load. What is not accepted is for zod to
 * judge and to explain.
 */
export function accepts(shape: Shape, value: unknown): boolean {
  if (shape.anyOf) return shape.anyOf.some((one) => accepts(one, value))
  if (shape.enum) return shape.enum.includes(value)
  if ('const' in shape) return shape.const === value
  return shape.type === undefined || [shape.type].flat().some((type) => types[type]?.(value, shape) ?? false)
}

const types: Readonly<Record<string, (value: unknown, shape: Shape) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  string: (value, { minLength = 0, pattern }) =>
    typeof value === 'string' &&
    value.length >= minLength &&
    (pattern === undefined || new RegExp(pattern).test(value)),
  number: isInRange,
  integer: (value, shape) => Number.isSafeInteger(value) && isInRange(value, shape),
  array: isList,
  object: (value, shape) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && isRecord(value, shape),
}

function isInRange(value: unknown, { minimum = -Infinity, maximum = Infinity }: Shape): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= minimum && value <= maximum
}

function isList(value: unknown, { items, prefixItems = [], minItems = 0, maxItems }: Shape): boolean {
  if (!Array.isArray(value) || value.length < minItems || value.length > (maxItems ?? Infinity)) return false
  return value.every((item, index) => fits(prefixItems[index] ?? items, item))
}

function isRecord(value: object, shape: Shape): boolean {
  const { properties = {}, required = [], additionalProperties, propertyNames } = shape
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(
      ([name, inner]) =>
        fits(propertyNames, name) &&
        fits(Object.hasOwn(properties, name) ? properties[name] : additionalProperties, inner),
    )
  )
}

function fits(shape: Shape | false | undefined, value: unknown): boolean {
  return shape === undefined || (shape !== false && accepts(shape, value))
}

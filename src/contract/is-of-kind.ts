import type { Shape } from './accepts.ts'

/**
 * Whether a value is at least built like a shape: a list, an object or a text where there is to be one, and so on for the lists and
 * objects that it must hold. Single values inside may be anything: they can be shown whatever they are.
 */
export function isOfKind(shape: Shape, value: unknown): boolean {
  if (shape.anyOf) return shape.anyOf.some((one) => isOfKind(one, value))
  if (shape.type === 'array') {
    return Array.isArray(value) && value.every((item) => !shape.items || isOfKind(shape.items, item))
  }
  if (shape.type === 'object') {
    return typeof value === 'object' && value !== null && !Array.isArray(value) && holds(shape, value)
  }
  return shape.type === undefined || [shape.type].flat().includes(kindOf(value))
}

function holds({ properties = {}, required = [] }: Shape, value: object): boolean {
  const held = new Map(Object.entries(value))
  return required.every((name) => {
    const property = properties[name]
    return property === undefined || !hasParts(property) || isOfKind(property, held.get(name))
  })
}

/** Whether it is a list or an object in every case. */
function hasParts({ type, anyOf }: Shape): boolean {
  return anyOf ? anyOf.every(hasParts) : type === 'array' || type === 'object'
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}

import { fieldsOf } from '../base/json.ts'
import { toUuid } from './values.ts'

/**
 * Compares the response to a change with its request. A response repeats the user and, for answers, each lookup key and value
 * (spec 4.1, 4.5). Returns one line for each difference; the change is then not confirmed. Contains no values, because they can
 * be health data.
 */
export function findUnconfirmed(
  sent: { userId?: string | undefined; body: unknown },
  received: unknown,
): string[] {
  const items = listOf(received).map(fieldsOf)
  const sentItems = listOf(sent.body).map(fieldsOf)
  if (items.length !== sentItems.length) return ['the number of items differs from the request']
  const [userId = toUuid(textOf(items[0]?.['user_id']))] = [toUuid(sent.userId)]
  const names = ['lookup_key', 'value'].filter((name) =>
    items.some((item, at) => sentItems[at]?.[name] !== undefined && item[name] !== sentItems[at]?.[name]),
  )
  const isSameUser = items.every((item) => userId !== undefined && toUuid(textOf(item['user_id'])) === userId)
  return [...(isSameUser ? [] : ['user_id']), ...names].map((name) => `${name} differs from the request`)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

import { fieldsOf } from '../base/json.ts'

/** Fields of a user that a service stores unchanged. If a field is cleared, the service may return its default value. */
const userFields = ['birth_date', 'sex', 'language', 'preferred_unit_system'] as const

/**
 * Compares the response to a change with its request. The response must contain the user ID and, for answers, each lookup key and value
 * (spec 4.1, 4.5). Returned user fields must have the values from the request, because some services return an existing user unchanged.
 * Returns one line per difference, without values, because values can be health data. If there is a difference, the change counts as not
 * confirmed.
 */
export function findUnconfirmed(
  sent: { userId?: string | undefined; body: unknown },
  received: unknown,
): string[] {
  // A service can return saved answers in another order.
  const items = sortAnswers(received)
  const sentItems = sortAnswers(sent.body)
  if (items.length !== sentItems.length) return ['the number of items differs from the request']
  const userId = normalize(sent.userId ?? items[0]?.['user_id'])
  const isSame: Record<string, (item: ItemFields, at: number) => boolean> = {
    user_id: (item) => userId !== '' && normalize(item['user_id']) === userId,
    lookup_key: (item, at) => isEqual(sentItems[at]?.['lookup_key'], item['lookup_key'], String),
    value: (item, at) => isEqual(sentItems[at]?.['value'], item['value'], Number),
  }
  for (const name of userFields) isSame[name] = (item, at) => isKept(sentItems[at]?.[name], item[name])
  return Object.entries(isSame)
    .filter(([, test]) => !items.every(test))
    .map(([name]) =>
      items.every((item) => (item[name] ?? undefined) === undefined)
        ? `${name} is missing`
        : `${name} differs from the request`,
    )
}

type ItemFields = Readonly<Record<string, unknown>>

/** The items of a list, sorted by lookup key and value. A single object is a list with one item. */
function sortAnswers(value: unknown): ItemFields[] {
  const order = ({ lookup_key, value }: ItemFields) => `${lookup_key} ${Number(value)}`
  return [value]
    .flat()
    .map(fieldsOf)
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1))
}

function isEqual(sent: unknown, received: unknown, read: (value: unknown) => unknown): boolean {
  return sent === undefined || (received !== undefined && received !== null && read(received) === read(sent))
}

function isKept(sent: unknown, received: unknown): boolean {
  if (sent === undefined) return true
  const [before, after] = [sent, received].map((value) => String(value ?? '').toLowerCase())
  return !before || !after || after.startsWith(before)
}

/** Returns a UUID in lower case without dashes, so that different spellings of an ID are equal. */
function normalize(id: unknown): string {
  return typeof id === 'string' ? id.replaceAll('-', '').toLowerCase() : ''
}

import { expect, test } from 'vitest'
import { type ErrorCode, FacescanError } from '../../../src/base/errors.ts'
import type { ListItem } from '../../../src/bulk/lists/read-list.ts'
import { OrderedResults } from '../../../src/framework/many/ordered-results.ts'
import type { Output, RowEnd } from '../../../src/framework/many/output.ts'

const failed = (code: ErrorCode): RowEnd => ({ error: new FacescanError(code, 'failed') }) as RowEnd
const found = { result: {} } as unknown as RowEnd
const itemAt = (line: number) => ({ line }) as ListItem

/** Creates a result writer that adds the line and the code of each user to an array. If `isSlow` is true, each write takes a moment. */
function resultsWith(isSlow: boolean) {
  const written: string[] = []
  const put = ({ line }: ListItem, end: RowEnd): Promise<void> | undefined => {
    const text = `${line} ${'error' in end ? end.error.code : 'ok'}`
    if (!isSlow) return void written.push(text)
    return new Promise((resolve) => setImmediate(() => resolve(void written.push(text))))
  }
  return { written, results: new OrderedResults({ put } as unknown as Output) }
}

const bothSpeeds = test.each([false, true])

bothSpeeds('results are written in the order of the list (slow writes: %s)', async (isSlow) => {
  const { written, results } = resultsWith(isSlow)
  const ends: ((end: RowEnd) => void)[] = []
  const added = [1, 2, 3].map((line) =>
    results.add(itemAt(line), new Promise<RowEnd>((resolve) => void ends.push(resolve))),
  )
  ends[2]?.(found)
  ends[1]?.(failed('not_found'))
  await Promise.all(added.slice(1))
  expect(written).toEqual([])
  ends[0]?.(found)
  await Promise.all(added)
  expect(written).toEqual(['1 ok', '2 not_found', '3 ok'])
})

bothSpeeds(
  'a failure of the service is written after the next success, and any other failure at once (slow writes: %s)',
  async (isSlow) => {
    const { written, results } = resultsWith(isSlow)
    await results.add(itemAt(1), Promise.resolve(failed('server')))
    await results.add(itemAt(2), Promise.resolve(failed('network')))
    expect(written).toEqual([])
    await results.add(itemAt(3), Promise.resolve(found))
    await results.add(itemAt(4), Promise.resolve(failed('server')))
    expect(written).toEqual(['1 server', '2 network', '3 ok'])
    await results.putHeld()
    await results.putHeld()
    expect(written).toEqual(['1 server', '2 network', '3 ok', '4 server'])
    await results.add(itemAt(5), Promise.resolve(failed('not_found')))
    expect(written.at(-1)).toBe('5 not_found')
  },
)

test('a run stops after 20 failures of the service in a row, and its output contains none of these failures', async () => {
  const { written, results } = resultsWith(false)
  for (let line = 1; line <= 19; line++) await results.add(itemAt(line), Promise.resolve(failed('server')))
  const last = results.add(itemAt(20), Promise.resolve(failed('network')))
  await expect(last).rejects.toThrow('the service fails for all users: failed')
  expect(written).toEqual([])
})

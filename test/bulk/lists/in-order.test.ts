import { expect, test } from 'vitest'
import { InOrder } from '../../../src/bulk/lists/in-order.ts'

test('passes results on in the order of their places', async () => {
  const out: string[] = []
  const order = new InOrder<string>((text) => void out.push(text), 10)
  const places = [order.next(), order.next(), order.next()]
  order.put(places[2]!, 'c')
  order.put(places[0]!, 'a')
  expect(out).toEqual(['a'])
  order.put(places[1]!, 'b')
  await order.finish()
  expect(out).toEqual(['a', 'b', 'c'])
})

test('waits for space while too many results are ahead of the first missing one', async () => {
  const order = new InOrder<string>(() => undefined, 2)
  const [first, second] = [order.next(), order.next()]
  order.put(second, 'b')
  let hasSpace = false
  const waiting = order.hasSpace().then(() => {
    hasSpace = true
  })
  await Promise.resolve()
  expect(hasSpace).toBe(false)
  order.put(first, 'a')
  await waiting
  expect(hasSpace).toBe(true)
})

test('reports a result that could not be passed on', async () => {
  const order = new InOrder<string>(async () => {
    throw new Error('disk full')
  }, 2)
  order.put(order.next(), 'a')
  await expect(order.finish()).rejects.toThrow('disk full')
  await expect(order.hasSpace()).rejects.toThrow('disk full')
})

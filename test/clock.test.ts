import { expect, test } from 'vitest'
import { clock } from '../src/clock.ts'

test('a sleep of years does not end at once', async () => {
  const woken: string[] = []
  const stop = new AbortController()
  const years = clock.sleep(1e11, stop.signal).then(
    () => woken.push('years'),
    () => woken.push('stopped'),
  )
  await clock.sleep(20)
  stop.abort()
  await years
  expect(woken).toEqual(['stopped'])
})

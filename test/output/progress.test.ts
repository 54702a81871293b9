import { expect, test } from 'vitest'
import { createProgress } from '../../src/output/progress.ts'
import { Collector, penFor } from './screen.ts'
import { showOn } from './terminal.ts'

test('progress is one line that is drawn again, cut to the terminal, and gone in the end', async () => {
  const stderr = new Collector()
  const progress = createProgress(stderr, await penFor({ width: 30 }))
  progress.show('row 1 of 100')
  progress.show('row 2 of 100, about 3 minutes to go, and more than fits')
  const during = await showOn(stderr.text, 30)
  expect(during.lines).toEqual(['row 2 of 100, about 3…'])
  expect(during.wrapped).toBe(false)
  progress.clear()
  expect((await showOn(`${stderr.text}done`, 30)).lines).toEqual(['done'])
})

test('the same text is not drawn twice', async () => {
  const stderr = new Collector()
  const progress = createProgress(stderr, await penFor({ width: 30 }))
  progress.show('waiting')
  const { length } = stderr.text
  progress.show('waiting')
  expect(stderr.text).toHaveLength(length)
})

test('progress is silent off a terminal, with ACCESSIBLE and with --quiet', async () => {
  const stderr = new Collector()
  createProgress(stderr, await penFor({})).show('x')
  createProgress(stderr, await penFor({ width: 80, env: { ACCESSIBLE: '1' } })).show('x')
  createProgress(stderr, await penFor({ width: 80 }), true).show('x')
  expect(stderr.text).toBe('')
})

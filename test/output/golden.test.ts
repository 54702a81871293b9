import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { printPages } from './golden-pages.ts'
import { people } from './people.ts'
import { Collector, penFor } from './screen.ts'
import { showOn } from './terminal.ts'

const ids = people.map((person) => person.user_id)

async function render(screen: { width?: number; color: boolean }): Promise<string> {
  const stdout = new Collector()
  const io = { stdin: Readable.from([]), stdout, stderr: new Collector() }
  await printPages(io, await penFor(screen))
  return stdout.text
}

describe.each([60, 80, 120, 200])('on a terminal of %i columns', (width) => {
  test.each([
    ['without colour', false, 'txt'],
    ['with colour', true, 'ansi'],
  ])('the pages %s are the approved ones', async (_, color, ending) => {
    await expect(await render({ width, color })).toMatchFileSnapshot(`golden/${width}.${ending}`)
  })

  test('nothing wraps and no id is cut', async () => {
    const screen = await showOn(await render({ width, color: true }), width)
    expect(screen.wrapped).toBe(false)
    for (const id of ids) expect(screen.lines.join('\n')).toContain(id)
  })
})

test('the pages of a pipe are the approved ones', async () => {
  await expect(await render({ color: false })).toMatchFileSnapshot('golden/pipe.txt')
})

import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { expectGenerated } from '../helpers/generated.ts'
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

describe.each([60, 80, 120, 200])('the golden files for a terminal of %i columns', (width) => {
  test.each([
    ['without color', false, 'txt'],
    ['with color', true, 'ansi'],
  ])('the pages %s match the golden files', async (_, color, ending) => {
    await expectGenerated(`test/output/golden/${width}.${ending}`, await render({ width, color }))
  })

  test('no line of the golden files wraps, and no ID is truncated', async () => {
    // The terminal emulator shows the emoji of a family as several characters, so the test replaces it with a simple emoji.
    const text = (await render({ width, color: true })).replaceAll('👨‍👩‍👧', '👪')
    const screen = await showOn(text, width)
    expect(screen.wrapped).toBe(false)
    for (const id of ids) expect(screen.lines.join('\n')).toContain(id)
  })
})

test('the output in a pipe matches the golden file', async () => {
  await expectGenerated('test/output/golden/pipe.txt', await render({ color: false }))
})

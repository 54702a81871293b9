import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clockIn } from '../helpers/clock.ts'
import { createMachine } from '../helpers/facescan.ts'
import { expectGenerated } from '../helpers/generated.ts'
import { openPty } from '../helpers/pty.ts'
import { describeStyles, showOn } from './terminal.ts'

const machine = createMachine({})
const folder = join(machine.home, 'work')
const { NO_COLOR: _, CI: __, ...env } = machine.env

/** Runs the built program on a color terminal. Returns everything that it wrote. */
async function runOn(columns: number, line: string): Promise<string> {
  const pty = openPty(process.execPath, [join(process.cwd(), 'bin/facescan.js'), ...line.split(' ')], {
    columns,
    rows: 24,
    cwd: folder,
    env: { ...env, TZ: 'UTC' },
  })
  try {
    await pty.ended
    return pty.raw()
  } finally {
    pty.close()
  }
}

/** Replaces IDs, dates, and paths with fixed texts, because they differ in each run. */
function mask(screen: string): string {
  return screen
    .replace(
      /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
      '00000000-0000-0000-0000-000000000000',
    )
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8}\b(?!-)/g, '00000000')
    .replace(/\b\d{1,2} [A-Z][a-z]{2} \d{4}\b(, \d{2}:\d{2})?/g, (_, time) =>
      time ? '1 Jan 2026, 09:30' : '1 Jan 2026',
    )
    .replaceAll(machine.home, '/home')
}

mkdirSync(folder)
await machine.facescan('users create 4711 --sex F --birth-date 1984-02-29 --language nl')
await machine.facescan('sandbox scan 4711 --count 30 --days 30 --seed 7')

test.each([
  ['overview', 'overview 4711'],
  ['metrics', 'metrics 4711'],
  ['wellbeing', 'wellbeing 4711'],
  ['biomarkers-latest', 'biomarkers latest 4711 --count 5'],
  ['biomarkers-list', 'biomarkers list 4711 --limit 5 --order desc'],
  ['recommendations', 'recommendations 4711'],
  ['profiles-list', 'profiles list'],
  ['user-not-found', 'users get nobody'],
])('the screen of "%s" has the same text and colors as the file in the repository', async (name, line) => {
  const shown = await showOn(await runOn(80, line), 80)
  await expectGenerated(
    `test/output/screens/${name}.txt`,
    `$ facescan ${line}\n${mask(describeStyles(shown))}\n`,
  )
})

test('the built program aligns columns after Arabic, Japanese and combining characters', async () => {
  const names = ['plain.csv', 'مُحَمَّد.csv', '日本.csv', 'Zoe\u0308.csv']
  for (const [index, name] of names.entries()) {
    writeFileSync(
      join(folder, name),
      `external_user_id,lookup_key,value,timezone\n4711,weight,8${name.length},UTC\n`,
    )
    const clock = clockIn((index - names.length) * 60_000)
    const { exitCode } = await machine.facescan(['answers', 'import', join(folder, name)], { clock })
    expect(exitCode).toBe(0)
  }
  const shown = await showOn(await runOn(160, 'imports list'), 160)
  const starts = shown.cells
    .map((row) =>
      row.findIndex(
        (_, column) =>
          row
            .slice(column, column + 7)
            .map(({ text }) => text)
            .join('') === 'SANDBOX',
      ),
    )
    .filter((start) => start !== -1)
  expect(starts).toHaveLength(names.length)
  expect(new Set(starts).size).toBe(1)
})

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { globalOptions } from '../../../src/framework/global-flags.ts'
import { describeFlags } from '../../../src/help/describe.ts'
import { manPages } from '../../../src/help/man/pages.ts'
import { describeCommand } from '../../../src/help/schema.ts'
import { loadCommands } from '../../../src/routes/routes.ts'
import { expectGenerated } from '../../helpers/generated.ts'
import { needs } from '../../helpers/needs.ts'

const pages = await manPages('1.2.3')
const commands = (await loadCommands()).map(describeCommand)

function find(file: string): string {
  return pages.find((page) => page.file === file)!.text.replaceAll('\\-', '-')
}

test('the manual page of "facescan" names every command, global flag, and exit code', () => {
  const overview = find('facescan.1')
  for (const { command } of commands) expect(overview).toContain(command)
  for (const { long } of describeFlags(globalOptions)) expect(overview).toContain(long)
  expect(overview).toContain('FACESCAN_API_KEY')
  expect(overview).toContain('\\fB130\\fR')
})

test('each group of commands has a manual page with all flags and examples of its commands', () => {
  for (const { command, flags, examples } of commands) {
    const text = find(`facescan-${command.split(' ')[0]}.1`)
    for (const { long } of flags) expect(text).toContain(long)
    for (const example of examples) expect(text.replaceAll('\\e', '\\')).toContain(example)
  }
})

test('the package installs every manual page', async () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as object
  const man = pages.map(({ file }) => `dist/man/${file}`).sort()
  await expectGenerated('package.json', `${JSON.stringify({ ...manifest, man }, null, 2)}\n`)
})

const typesetter = needs('groff')

test.skipIf(typesetter.missing)('groff formats every manual page without a warning', () => {
  for (const { file, text } of pages) {
    const { stderr } = spawnSync(typesetter.path.groff, ['-man', '-ww', '-z', '-Tutf8'], {
      input: text,
      encoding: 'utf8',
    })
    expect(stderr, file).toBe('')
  }
})

import { expect, test } from 'vitest'
import { globalOptions, replacingOptions } from '../../../src/framework/global-flags.ts'
import { manyOptions } from '../../../src/framework/many/options.ts'
import { userOptions } from '../../../src/framework/user.ts'
import { loadCommands } from '../../../src/routes/routes.ts'
import { readSources } from '../../architecture/sources.ts'

const commands = (await loadCommands()).map(({ name, command }) => [name, command] as const)

function camel(text: string): string {
  return text.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}

const lists = commands.map(([name, { options }]) => [name, options] as const)

test.each([
  ...lists,
  ['every command', globalOptions],
  ['shared replacement flags', replacingOptions],
] as const)('in the options for %s, the key of each option is the name of its flag', (_, options) => {
  for (const [key, { kind, long }] of Object.entries(options)) {
    const name = camel(long.slice(kind === 'negation' ? '--no-'.length : '--'.length))
    // The property `user` already contains the selected user. To avoid a conflict, the flag `--user` has the property `sameUser`.
    expect(key).toBe(name === 'user' ? 'sameUser' : name)
  }
})

test.each(commands)(
  'the options of "%s" start with shared flags for a user and end with shared flags for lists',
  (_, { user, many, options }) => {
    // If a command flag reused the key of a shared flag, the keys would have another order.
    const [ids, shared] = [Object.keys(userOptions(user)), many ? Object.keys(manyOptions) : []]
    const keys = Object.keys(options)
    expect(keys.slice(0, ids.length)).toEqual(ids)
    expect(ids.map((key) => options[key]?.summary)).toEqual(
      Object.values(userOptions(user)).map(({ summary }) => summary),
    )
    expect(keys.slice(keys.length - shared.length)).toEqual(shared)
  },
)

const source = readSources('src')
  .filter(({ path }) => /^src\/(framework|commands)\//.test(path) && !path.endsWith('define-command.ts'))
  .map(({ text }) => text)
  .join('\n')

/** The entries of the object that starts at this index of `source`, without nested objects and texts. */
function entriesAt(start: number): string {
  let [text, depth] = ['', 0]
  for (const character of source.slice(start).replace(/'[^'\n]*'|`[^`]*`/g, "''")) {
    if ('{[('.includes(character)) depth++
    if (depth === 1) text += character
    if ('}])'.includes(character)) depth--
    if (depth === 0) return text
  }
  throw new Error('the object has no end')
}

/** The keys of a list of options, including spread lists. A key that occurs twice is returned twice. */
function keysAt(start: number): string[] {
  const entries = entriesAt(start)
  const own = [...entries.matchAll(/(\w+):/g)].map(([, key = '']) => key)
  const spread = [...entries.matchAll(/\.\.\.(\w+)/g)].flatMap(([, name = '']) => keysAt(startOf(name)))
  return [...own, ...spread]
}

/** Finds the index in `source` at which a list of options starts. The list is a constant, or the result of a function. */
function startOf(name: string): number {
  const [found] = source.matchAll(
    new RegExp(`(?:const ${name} = |function ${name}\\([^)]*\\) \\{[^]*?\\breturn )(?=\\{)`, 'g'),
  )
  if (found === undefined) throw new Error(`no list of options is named ${name}`)
  return found.index + found[0].length
}

const written = [...source.matchAll(/^ +options: (?=\{)|\b\w+Options = (?=\{)/gm)]

test('if a command includes shared options, it does not define one of them again', () => {
  expect(written.length).toBeGreaterThan(20)
  for (const { index, 0: text } of written) {
    const keys = keysAt(index + text.length)
    expect([...new Set(keys)], text).toEqual(keys)
  }
})

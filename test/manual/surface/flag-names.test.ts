import { Option } from 'commander'
import { expect, test } from 'vitest'
import { globalOptions } from '../../../src/command/global-flags.ts'
import { allNouns, leavesOf } from '../../../src/tree/tree.ts'

/** `--no-input` and `--input <file>` are one name to the parser, and the one would change the meaning of the other. */
const nameOf = (flags: string) => new Option(flags).attributeName()

test.each(leavesOf(allNouns()))('no flag of %s has the name of a global flag', async (_, leaf) => {
  const { default: command } = await leaf.load()
  const own = command.options.map(([flags]) => nameOf(flags))
  const taken = globalOptions.map(([flags]) => nameOf(flags))
  expect(own.filter((name) => taken.includes(name))).toEqual([])
  // A flag and its own negation share a name: --external-user-id <id> and --no-external-user-id.
  const positive = command.options
    .filter(([flags]) => !flags.startsWith('--no-'))
    .map(([flags]) => nameOf(flags))
  expect(new Set(positive).size).toBe(positive.length)
})

import { expect, test } from 'vitest'
import { allNouns, isBranch } from '../../src/tree.ts'

const leaves = Object.entries(allNouns()).flatMap(([noun, node]) =>
  isBranch(node)
    ? Object.entries(node.verbs).map(([verb, leaf]) => ({ name: `${noun} ${verb}`, leaf }))
    : [{ name: noun, leaf: node }],
)

test.each(leaves)('$name says what it prints if it changes anything', async ({ leaf }) => {
  const { default: command } = await leaf.load()
  if (command.effect !== 'read') expect(command.view).toBeDefined()
  expect(command.run).toBeTypeOf('function')
})

import { expect, test } from 'vitest'
import { leavesOf, nouns } from '../../src/routes/routes.ts'

test.each(leavesOf(nouns))('%s defines a view if it can change anything', async (_, leaf) => {
  const { default: command } = await leaf.load()
  if (command.effect !== 'read') expect(command.view).toBeDefined()
  expect(command.run).toBeTypeOf('function')
})

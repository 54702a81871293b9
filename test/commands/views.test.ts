import { expect, test } from 'vitest'
import { allNouns, leavesOf } from '../../src/routes/routes.ts'

test.each(leavesOf(allNouns()))('%s has a view if it changes anything', async (_, leaf) => {
  const { default: command } = await leaf.load()
  if (command.effect !== 'read') expect(command.view).toBeDefined()
  expect(command.run).toBeTypeOf('function')
})

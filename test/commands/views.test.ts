import { expect, test } from 'vitest'
import { leavesOf, nouns } from '../../src/routes/routes.ts'

test.each(leavesOf(nouns))(
  'the command "%s" has a function that runs it, and a view if it changes data',
  async (_, leaf) => {
    const { default: command } = await leaf.load()
    if (command.effect !== 'read') expect(command.view).toBeDefined()
    expect(command.run).toBeTypeOf('function')
  },
)

import { expect, test } from 'vitest'
import { leavesOf, nouns } from '../../src/routes/routes.ts'

test.each(leavesOf(nouns))(
  'the command "%s" has a function that runs the command, and a view if the command changes data',
  async (_, leaf) => {
    const { default: command } = await leaf.load()
    if (command.effect !== 'read') expect(command.view).toBeDefined()
    expect(command.run).toBeTypeOf('function')
  },
)

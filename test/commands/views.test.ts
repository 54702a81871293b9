import { expect, test } from 'vitest'
import { leavesOf, nouns } from '../../src/routes/routes.ts'

test.each(leavesOf(nouns))(
  'the command "%s" defines a view for its result if it can change or delete data',
  async (_, leaf) => {
    const { default: command } = await leaf.load()
    if (command.effect !== 'read') expect(command.view).toBeDefined()
    expect(command.run).toBeTypeOf('function')
  },
)

import { defineCommand } from '../command.ts'
import type { ListView } from '../output/view.ts'
import type { Setting } from '../profiles/choose-profile.ts'
import { describeSession, type Status } from '../profiles/session.ts'

const view: ListView<Status, Readonly<Setting>> = {
  kind: 'list',
  rows: ({ settings }) => settings,
  columns: [
    { key: 'name', title: 'Setting' },
    { key: 'value', title: 'Value', whole: true, cell: ({ value }) => value ?? '–' },
    { key: 'source', title: 'From', whole: true },
  ],
  empty: 'Nothing is set.',
}

export default defineCommand({
  description: 'Who the next command would speak as, and where each setting comes from. Sends nothing.',
  examples: ['facescan status', 'facescan status --profile SANDBOX-DEV --json'],
  async run(ctx) {
    const status = await describeSession({
      flags: ctx.flags,
      env: ctx.env,
      stdin: ctx.io.stdin,
      paths: ctx.paths,
      now: ctx.clock.now(),
    })
    await ctx.print(status, view)
    if (status.problem) ctx.warn(status.problem)
  },
})

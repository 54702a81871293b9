import type { Unchanged } from '../base/json.ts'
import { commandResult } from '../framework/command-result.ts'
import { defineCommand } from '../framework/define-command.ts'
import { renderHints } from '../output/hint.ts'
import type { Column, RecordView, Terminal } from '../output/view.ts'
import type { Status, StatusSetting } from '../profiles/describe-session.ts'
import { describeSession } from '../profiles/describe-session.ts'
import { describeUnlock } from './profiles/view.ts'

/** Returns a text that is shown instead of the value of a setting. */
type Describe = (status: Status, terminal: Terminal) => string | undefined

/** A row with the value and the source of a setting. */
function setting(name: string, title: string, key = name, describe?: Describe): Column<Status> {
  const find = ({ settings }: Status): StatusSetting | undefined => settings.find((one) => one.name === name)
  return {
    key,
    title,
    value: (status) => find(status)?.value ?? null,
    cell: (status, terminal) => {
      const { value, source } = find(status) ?? { value: null, source: 'unknown' }
      return `${describe?.(status, terminal) ?? value ?? '–'}  ${terminal.dim(`(${source})`)}`
    },
  }
}

function viewOf({ hidesProblem }: { hidesProblem: boolean }): RecordView<Unchanged<Status>> {
  return {
    columns: [
      setting('profile', 'Profile'),
      setting('environment', 'Environment'),
      setting('base_url', 'Base URL'),
      setting('protect', 'Protection', 'protect', ({ unlocked_until }, terminal) =>
        unlocked_until === null ? undefined : describeUnlock(unlocked_until, terminal),
      ),
      { key: 'unlocked_until', title: 'Unlocked until', only: 'machines' },
      setting('key', 'Key', 'fingerprint'),
      setting('config_dir', 'Config directory'),
      setting('state_dir', 'State directory'),
      {
        key: 'problem',
        title: 'Problem',
        cell: ({ problem }, terminal) => (problem ? terminal.red(problem) : ''),
        ...(hidesProblem && { only: 'machines' }),
      },
      { key: 'settings', title: 'Settings', only: 'machines' },
    ],
  }
}

export default defineCommand({
  output: async () => (await import('../profiles/describe-session.ts')).status,
  view: viewOf({ hidesProblem: false }),
  takesToken: true,
  description:
    'Shows the profile and service that the next command will use, and the sources of the settings. Sends nothing.',
  examples: ['facescan status', 'facescan status --profile SANDBOX-DEV --json'],
  async run(ctx) {
    const { status, error } = await describeSession(ctx)
    const hint = renderHints(error, ctx.flags)
    // On a terminal, the row "problem" is omitted if it is empty. A table in a pipe always has the same columns.
    const view = viewOf({ hidesProblem: status.problem === null && ctx.terminals.stdout.isTTY })
    return commandResult(status, { view, notes: hint === undefined ? [] : [hint] })
  },
})

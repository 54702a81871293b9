import { defineCommand } from '../framework/define-command.ts'
import type { CommandSchema, ProgramSchema } from '../framework/program-schema.ts'
import type { ListView, Terminal } from '../output/view.ts'

const colors = {
  read: (_: Terminal, text: string) => text,
  change: (terminal: Terminal, text: string) => terminal.yellow(text),
  destroy: (terminal: Terminal, text: string) => terminal.red(text),
}

const view: ListView<ProgramSchema, CommandSchema> = {
  rows: ({ commands }) => commands,
  columns: [
    { key: 'command', title: 'Command', whole: true },
    {
      key: 'effect',
      title: 'Effect',
      whole: true,
      cell: ({ effect, local_effect }, terminal) =>
        effect === 'read' && local_effect !== 'read'
          ? colors[local_effect](terminal, `${local_effect} (local)`)
          : colors[effect](terminal, effect),
    },
    { key: 'local_effect', title: 'On this machine', only: 'machines' },
    { key: 'credentials', title: 'Needs', cell: ({ credentials }) => credentials.join(' or ') || 'nothing' },
    { key: 'summary', title: 'Summary', priority: 1 },
    { key: 'description', title: 'Description', only: 'machines' },
    { key: 'user', title: 'User', only: 'machines' },
    { key: 'arguments', title: 'Arguments', only: 'machines' },
    { key: 'flags', title: 'Flags', only: 'machines' },
    { key: 'examples', title: 'Examples', only: 'machines' },
    { key: 'output', title: 'Output', only: 'machines' },
    { key: 'exit_codes', title: 'Exit codes', only: 'machines' },
  ],
  empty: '',
}

export default defineCommand({
  output: async () => (await import('../framework/program-schema.ts')).programDescription,
  view,
  description:
    'Describes the commands: flags, the JSON Schema of the output, exit codes, and whether a command reads, changes, or deletes data.',
  examples: [
    'facescan schema',
    'facescan schema --json',
    `facescan schema --jq '.commands[] | select(.effect != "read") | .command'`,
  ],
  run: (ctx) => ctx.program.schema(),
})

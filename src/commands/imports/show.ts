import { span } from '../../base/clock.ts'
import { requireDirectory } from '../../base/paths.ts'
import { findImport } from '../../bulk/imports.ts'
import type { ShownImport } from '../../bulk/schemas.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { followUp } from '../../output/hint.ts'
import type { RecordView } from '../../output/view.ts'
import { inviteToResume, resumeWords } from '../importing/resume-hint.ts'
import { requestColumns, stateColumns } from '../importing/summary-view.ts'
import { identityColumns, importArgument, offerImports, toShown } from './stored-import.ts'

const view: RecordView<ShownImport> = {
  columns: [
    ...identityColumns,
    { key: 'last_activity_at', title: 'Last activity', time: true },
    { key: 'host', title: 'Service' },
    ...stateColumns,
    ...requestColumns,
    { key: 'seconds', title: 'Time', cell: ({ seconds }) => (seconds === null ? '' : span(seconds)) },
    { key: 'problem', title: 'Problem', cell: ({ problem }) => problem ?? '' },
  ],
  after: ({ id, status, profile, source }) => {
    if (status !== 'stopped' || source === null) return undefined
    const same = { profile: profile ?? undefined }
    return inviteToResume(source, followUp(resumeWords({ id, source }), same))
  },
}

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).storedImport,
  view,
  args: { import: importArgument },
  prompts: { import: { choices: offerImports } },
  examples: ['facescan imports show 3f'],
  run: async (ctx, { import: text }) => toShown(await findImport(requireDirectory(ctx.paths, 'state'), text)),
})

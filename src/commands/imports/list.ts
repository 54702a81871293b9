import { basename } from 'node:path'
import { requireDirectory } from '../../base/paths.ts'
import { listImports } from '../../bulk/imports.ts'
import type { ShownImport } from '../../bulk/schemas.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { cutEvents, eventOptions } from '../../framework/limit.ts'
import type { Column } from '../../output/view.ts'
import { stateColumns } from '../importing/summary-view.ts'
import { identityColumns, toShown } from './stored-import.ts'

/** A terminal shows only the name of the input file. `imports show` prints the complete path. */
const nameColumn: Column<ShownImport> = {
  key: 'source',
  title: 'Input',
  priority: 6,
  cell: ({ source }, { isTTY }) => (isTTY ? basename(source ?? '') : (source ?? '')),
}

export default defineCommand({
  output: async () => (await import('../../bulk/schemas.ts')).storedImports,
  view: {
    columns: [
      ...identityColumns.map((column) => (column.key === 'source' ? nameColumn : column)),
      ...stateColumns,
    ],
    empty: 'no imports yet; start one with: facescan answers import answers.csv',
  },
  options: eventOptions('imports'),
  description: 'Lists the imports that were started on this machine, newest first.',
  examples: ['facescan imports list', 'facescan imports list --json=id,status,unsent'],
  async run(ctx, options) {
    const imports = await listImports(requireDirectory(ctx.paths, 'state'))
    return cutEvents(imports.toReversed().map(toShown), options, 'import')
  },
})

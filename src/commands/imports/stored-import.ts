import { basename } from 'node:path'
import { RefusedError, UsageError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { findImport, type KnownImport, listImports, type StoredImport } from '../../bulk/imports.ts'
import type { ShownImport } from '../../bulk/schemas.ts'
import { countStates } from '../../bulk/summary.ts'
import type { Choice } from '../../framework/ask.ts'
import type { Context } from '../../framework/context.ts'
import { argument, optionalArgument } from '../../framework/options.ts'
import type { Column } from '../../output/view.ts'

export const importArgument = argument('<import>', 'import ID, or the start of the ID')
export const fileArgument = optionalArgument('[file]', 'new path of the input file, or - for standard input')

const noCounts = { rows: null, accepted: null, rejected: null, unknown: null, unsent: null }
const noWork = { requests: null, retried: null, seconds: null }

export function toShown({
  id,
  status,
  header,
  totals,
  lastAt,
  problem,
  files,
  work,
}: StoredImport): ShownImport {
  return {
    id,
    status,
    source: header?.source ?? null,
    profile: header?.profile ?? null,
    host: header?.host ?? null,
    started_at: header ? new Date(header.at).toISOString() : null,
    last_activity_at: lastAt ? new Date(lastAt).toISOString() : null,
    ...(header && totals ? countStates(header, totals) : noCounts),
    ...(work ?? noWork),
    rejects_file: files?.rejects_file ?? null,
    unknown_file: files?.unknown_file ?? null,
    problem: problem ?? null,
  }
}

export const identityColumns: readonly Column<ShownImport>[] = [
  { key: 'id', title: 'Import', whole: true },
  { key: 'status', title: 'Status', whole: true, priority: 9 },
  { key: 'source', title: 'Input', priority: 2 },
  { key: 'profile', title: 'Profile', whole: true, priority: 1 },
  { key: 'started_at', title: 'Started', time: true, priority: 5 },
]

/** The imports that a prompt offers, newest first. Throws if there are none, because the prompt would have no choices. */
export async function offerImports({ paths }: Context, only?: 'stopped'): Promise<Choice<string>[]> {
  const all = paths.state === undefined ? [] : await listImports(paths.state)
  const imports = all.filter(({ status }) => only === undefined || status === only)
  if (imports.length === 0)
    throw new UsageError(`no ${only ? `${only} ` : ''}imports on this machine`, {
      hint: only
        ? { text: 'List all imports', run: ['imports', 'list'] }
        : { text: 'To start an import, see', run: ['answers', 'import', '--help'] },
    })
  return imports.toReversed().map(({ id, status, header }) => {
    const name = [id, status, ...(header ? [basename(header.source)] : [])].join('  ')
    return { name, value: id }
  })
}

/** Finds the import whose ID starts with `text`. Refuses an import for another profile. */
export async function findReadable(ctx: Context, text: string, onlyHeader = false): Promise<KnownImport> {
  const stored = await findImport(requireDirectory(ctx.paths, 'state'), text, onlyHeader)
  const { id, header, problem } = stored
  if (header === undefined) throw new RefusedError(problem ?? `cannot read import ${id}`)
  const { profile } = await ctx.session()
  if (profile === header.profile) return { ...stored, header }
  const [started, given] = [header.profile, profile].map((name) =>
    name === null ? 'an API key and no profile' : `profile ${name}`,
  )
  throw new RefusedError(`import ${id} was started with ${started}, but this command uses ${given}`, {
    hint:
      header.profile === null
        ? 'Instead of a profile, pass the same key with --key-file, --key-stdin, or FACESCAN_API_KEY.'
        : `Use --profile ${header.profile}`,
  })
}

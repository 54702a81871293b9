import { RefusedError } from '../../base/errors.ts'
import { requireDirectory } from '../../base/paths.ts'
import { findImport } from '../../bulk/imports.ts'
import type { Context } from '../../framework/context.ts'
import type { KnownImport } from '../importing/choose-import.ts'

/** The import whose ID starts with `text`. Refuses an import that was started with another profile. */
export async function findReadable(ctx: Context, text: string): Promise<KnownImport> {
  const stored = await findImport(requireDirectory(ctx.paths, 'state'), text)
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

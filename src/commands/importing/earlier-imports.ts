import { type KnownImport, listImports } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { Context } from '../../framework/context.ts'
import type { ImportRequest } from './options.ts'

/** All imports to a service, oldest first. */
export async function importsTo({ paths }: Context, { profile, host }: HeaderRecord): Promise<KnownImport[]> {
  const imports = paths.state === undefined ? [] : await listImports(paths.state, true)
  return imports.filter(
    (stored): stored is KnownImport => stored.header?.profile === profile && stored.header.host === host,
  )
}

/** Whether an import read a file with the same content, even if the name of the file was different. */
export function isSameContent({ header: old }: KnownImport, { identity }: HeaderRecord): boolean {
  return old.identity.sha256 === identity.sha256
}

/** An earlier import of the same rows that must not be started again: it is unfinished, or its result was not reported. */
export function findStarted(
  known: readonly KnownImport[],
  header: HeaderRecord,
  { again }: Pick<ImportRequest, 'again'>,
): KnownImport | undefined {
  const { shard } = header.settings
  const isSameShard = ({ index, count }: Partial<Shard> = {}) =>
    index === shard?.index && count === shard?.count
  const same = known.filter(
    (stored) => isSameContent(stored, header) && isSameShard(stored.header.settings.shard),
  )
  return (
    same.find(({ status, isUnreported }) => status !== 'finished' || isUnreported) ??
    (again ? undefined : same.at(-1))
  )
}

/** The day on which an import ended, such as `on 2026-03-14`. */
export function describeEnd({ lastAt, header }: KnownImport): string {
  return `on ${new Date(lastAt ?? header.at).toISOString().slice(0, 10)}`
}

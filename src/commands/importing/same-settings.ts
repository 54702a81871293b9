import { RefusedError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
import type { KnownImport } from '../../bulk/imports.ts'
import type { HeaderRecord } from '../../bulk/journal/record.ts'
import type { Context } from '../../framework/context.ts'
import { followUp } from '../../output/hint.ts'
import type { ImportRequest } from './options.ts'
import { resumeWords } from './resume-hint.ts'

/** Refuses to resume an import with another key, or with settings that would result in other requests. */
export function refuseOther(
  { flags }: Context,
  { id, header: old }: KnownImport,
  header: HeaderRecord,
  { keyReplaced }: Pick<ImportRequest, 'keyReplaced'>,
): void {
  const words = resumeWords(old, header.source)
  if (!keyReplaced && old.key !== undefined && old.key !== header.key) throw otherKey(id, words)
  const different = differences(old, header)
  if (different.length > 0) {
    throw new RefusedError(
      `import ${id} of this file was started with different settings: ${different.join(', ')}`,
      { hint: `Resume with its original settings: ${followUp(words, flags)}` },
    )
  }
  // The lookup keys can differ if another process started the import after this process checked the file.
  if (String(old.keys) !== String(header.keys)) {
    throw new RefusedError(`import ${id} of this file was started with different lookup keys`, {
      hint: 'Run the same command again.',
    })
  }
}

function differences(old: HeaderRecord, now: HeaderRecord): string[] {
  const settings = (header: HeaderRecord) => ({
    'batch-size': header.settings.batchSize,
    timezone: header.settings.timezone,
    map: Object.entries(header.settings.map ?? {})
      .map((pair) => quoteWord(pair.join('=')))
      .join(' --map '),
    delimiter: header.settings.delimiter && quoteWord(header.settings.delimiter.replace('\t', 'tab')),
    encoding: header.settings.encoding,
    'header-line': header.settings.headerLine,
    'ignore-columns': header.settings.ignoreColumns && quoteWord(header.settings.ignoreColumns.join()),
    ids: typeof header.settings.ids === 'number' ? `pad:${header.settings.ids}` : header.settings.ids,
    sheet: header.settings.sheet && quoteWord(header.settings.sheet),
    hidden: header.settings.hidden,
    'skip-invalid': header.skipInvalid,
  })
  const [before, after] = [Object.entries(settings(old)), Object.values(settings(now))]
  return before.flatMap(([name, value], n) =>
    value === after[n] ? [] : [`--${name} ${show(value)} (now ${show(after[n])})`],
  )
}

function show(setting: string | number | boolean | undefined): string {
  if (!setting) return 'not set'
  return setting === true ? 'set' : String(setting)
}

function otherKey(id: string, words: string): RefusedError {
  return new RefusedError(`import ${id} of this file was started with a different key`, {
    hint: [
      `If this key accesses the same users, resume with: facescan ${words} --key-replaced`,
      'If it accesses other users, store each key in its own profile: facescan profiles add ACME-DEV',
    ].join('\n'),
  })
}

import { readFileSync } from 'node:fs'
import { type FacescanError, UsageError } from '../../base/errors.ts'
import type { ListItem } from '../../bulk/lists/read-list.ts'
import { ResultWriter } from '../../bulk/results/result-file.ts'
import type { Context } from '../context.ts'
import type { CheckedList } from './open-users.ts'

/** A failed user, saved until the list is complete. */
export interface Failure {
  line: number
  offset: number
  code: string
  message: string
}

export function toFailure({ line, offset }: ListItem, { code, message }: FacescanError): Failure {
  return { line, offset, code, message: message.replace(/\s+/g, ' ') }
}

/** Reports a failed user on stderr: a sentence, or a line of JSON for programs. */
export function reportFailure(ctx: Context, { line, code, message }: Failure): void {
  if (ctx.settings.format === 'table') {
    ctx.warn(`line ${line}: ${message}`)
    return
  }
  ctx.progress.clear()
  ctx.io.stderr.write(`${JSON.stringify({ error: { line, code, message } })}\n`)
}

/** The failed users with their original columns and the reasons: a list that can be used again. */
export class ErrorsFile {
  readonly path: string
  readonly #writer: ResultWriter

  constructor(path: string, { input, table, settings, shard }: CheckedList) {
    this.path = path
    if (path === input.path) throw new UsageError(`--errors ${path} would overwrite the list`)
    this.#writer = new ResultWriter(undefined, 'rejects', input, table, { map: settings.map, shard })
  }

  add({ line, offset, code, message }: Failure): void {
    this.#writer.add({ line, offset }, [{ code, message }])
  }

  /** Adds the failures of a file with one JSON object per line. */
  addAll(path: string): void {
    for (const text of readFileSync(path, 'utf8').split('\n')) {
      if (text !== '') this.add(JSON.parse(text) as Failure)
    }
  }

  /** Writes the file if a user failed. */
  save(): { errors?: string } {
    if (this.#writer.rows === 0) return {}
    this.#writer.saveAs(this.path)
    return { errors: this.path }
  }
}

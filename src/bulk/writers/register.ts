import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../base/system/make-directory.ts'
import { describeProcess, isGone, type LockHolder } from '../lock.ts'
import { refusingState } from '../refusing.ts'
import { UserFilter } from './user-filter.ts'

/** A command on this machine that saves answers. */
export interface Writer {
  /** ID of an import, or a name of another command. */
  id: string
  /** Other shards of the same input have other users. */
  part?: { input: string; index: number } | undefined
  users: UserFilter
}

/** Another writer. No request of it can be applied after `activeUntil`, a time of day in ms. */
export interface OtherWriter extends Writer {
  /** Infinite while the process runs. */
  activeUntil: number
}

interface Mark {
  id: string
  part?: Writer['part']
  users: string
  hasInternalIds: boolean
  /** Undefined once the command has ended. */
  holder?: LockHolder
  activeUntil: number
}

/** An older mark can be removed. */
const forgottenAfterMs = 60 * 60_000

/**
 * Marks of all commands on this machine that save answers with one service. They show an import which of its answers
 * another command may have saved. A mark contains no user IDs and no answers.
 */
export class WriterRegister {
  readonly #folder: string
  readonly #now: () => number
  /** Marks are written one at a time, so that the last one remains. */
  #written: Promise<unknown> = Promise.resolve()

  constructor(stateDirectory: string, host: string, now: () => number) {
    this.#folder = join(stateDirectory, 'writers', hashOf(host))
    this.#now = now
  }

  /** Marks this process as a writer. If it dies, its requests can be applied until `activeUntil`. */
  enter(writer: Writer, activeUntil: number): Promise<void> {
    return this.#write(writer, activeUntil, true)
  }

  /** Records that the writer has ended. Its last request can be applied until `activeUntil`. */
  leave(writer: Writer, activeUntil: number): Promise<void> {
    return this.#write(writer, activeUntil, false)
  }

  /** Writers that may have the same users as `writer`. */
  async others(writer: Writer): Promise<OtherWriter[]> {
    const names = await readdir(this.#folder).catch(() => [])
    const marks = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => this.#read(name)),
    )
    return marks
      .filter((other) => other !== undefined)
      .filter(({ id, part }) => id !== writer.id && !isOtherShard(part, writer.part))
      .filter(({ users }) => users.overlaps(writer.users))
  }

  async #write(writer: Writer, activeUntil: number, isRunning: boolean): Promise<void> {
    const saved = this.#written.then(() =>
      refusingState(this.#folder, () => this.#save(writer, activeUntil, isRunning)),
    )
    this.#written = saved.catch(() => undefined)
    await saved
  }

  async #save({ id, part, users }: Writer, activeUntil: number, isRunning: boolean): Promise<void> {
    const { bytes, hasInternalIds } = users
    const mark: Mark = { id, part, users: Buffer.from(bytes).toString('base64'), hasInternalIds, activeUntil }
    if (isRunning) mark.holder = await describeProcess(process.pid)
    const path = join(this.#folder, `${hashOf(id)}.json`)
    makeDirectory(this.#folder)
    await writeFile(`${path}.new`, JSON.stringify(mark), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }

  async #read(name: string): Promise<OtherWriter | undefined> {
    const path = join(this.#folder, name)
    const mark = await readFile(path, 'utf8')
      .then((text): Mark => JSON.parse(text))
      .catch(() => undefined)
    if (mark === undefined) return undefined
    const { id, part, holder, activeUntil } = mark
    const isRunning = holder !== undefined && !(await isGone(holder))
    if (!isRunning && activeUntil < this.#now() - forgottenAfterMs) {
      await rm(path, { force: true })
      return undefined
    }
    const users = new UserFilter(Buffer.from(mark.users, 'base64'), mark.hasInternalIds)
    return { id, part, users, activeUntil: isRunning ? Number.POSITIVE_INFINITY : activeUntil }
  }
}

function isOtherShard(a: Writer['part'], b: Writer['part']): boolean {
  return a !== undefined && b !== undefined && a.input === b.input && a.index !== b.index
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

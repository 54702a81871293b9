import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, inflateSync } from 'node:zlib'
import type { Clock } from '../../base/clock.ts'
import { replaceFile } from '../../base/files.ts'
import { shortHash } from '../../base/text.ts'
import { describeProcess, hasEnded, type LockHolder } from '../lock-holder.ts'
import { hashUserId } from '../rows/user-hash.ts'
import { confusableMs } from '../service-clock.ts'
import type { UserRef } from '../types.ts'
import { writeOrExplain } from '../write-or-explain.ts'

/** A command on this machine that saves answers. */
export interface Writer {
  id: string
  /** Shard of an import. Other shards of the same input contain different users. */
  part?: { input: string; index: number } | undefined
  users: BloomFilter
}

interface OtherWriter extends Writer {
  /** Time in ms since 1970 after which no request of the writer can be applied. Infinity while the process of the writer runs. */
  activeUntil: number
  settleMs: number
}

interface WriterMark extends Pick<Writer, 'id' | 'part'> {
  users: string
  hasInternalIds: boolean
  /** Process of the command. Undefined after the command has ended. */
  holder: LockHolder | undefined
  activeUntil: number
  settleMs: number
}

/** Identifies the service. The path is included, because two services may share a host. */
export function describeService(baseUrl: string | undefined): string {
  if (baseUrl === undefined) return 'the built-in sandbox'
  const { host, pathname } = new URL(baseUrl)
  return host + pathname.replace(/\/$/, '')
}

const forgottenAfterMs = 60 * 60_000
/** Time in ms that is added to the wait, because a measured clock is less precise than the clock that `confusableMs` assumes. */
const marginMs = 1_000

/**
 * The commands on this machine that save answers in one service. Each command writes a small file, its mark. From the marks, an import
 * determines which answers another command may have saved. A mark contains no user IDs and no answers.
 */
export class ActiveWriters {
  readonly #folder: string
  /** Name of the file that contains the record of this command. */
  readonly #name: string
  readonly #clock: Clock
  readonly #self: Writer
  /** The users as compressed text. Created only once, because a running import writes its record, with this text, every few seconds. */
  readonly #users: string
  /** Files are written one after another, so that the latest state remains. */
  #written: Promise<unknown> = Promise.resolve()

  constructor({
    stateDirectory,
    host,
    clock,
    self,
  }: { stateDirectory: string; host: string; clock: Clock; self: Writer }) {
    this.#folder = join(stateDirectory, 'writers', shortHash(host))
    this.#name = `${shortHash(self.id)}.json`
    this.#clock = clock
    this.#self = self
    this.#users = String(self.users)
  }

  /** Records this process as active. If the process is killed, its requests can still be applied for `settleMs`. */
  enter(settleMs: number): Promise<void> {
    return this.#write(settleMs, true)
  }

  /** Records that the command has ended. A failed write is ignored, because the record from `enter` then only stays valid for longer. */
  leave(settleMs: number): Promise<void> {
    return this.#write(settleMs, false).catch(() => undefined)
  }

  /** Time to wait in ms. An answer with a later time cannot be from a command that has already ended. */
  async quietAfterMs(): Promise<number> {
    const ended = (await this.#others()).filter(({ activeUntil }) => Number.isFinite(activeUntil))
    const now = this.#clock.now()
    // A remaining time longer than the settle time means that the clock was set back. The wait is therefore limited to the settle time.
    const waits = ended.map(
      ({ activeUntil, settleMs }) => Math.min(activeUntil - now, settleMs) + confusableMs + marginMs,
    )
    return Math.max(0, ...waits)
  }

  /** Finds another command that may have saved an answer of the user. `sinceMs` is the age of the request whose outcome is unknown. */
  async findConcurrentWriter(
    user: UserRef,
    sinceMs: number,
    withinMs = confusableMs,
  ): Promise<string | undefined> {
    const earliest = this.#clock.now() - sinceMs - withinMs
    const others = await this.#others()
    const found = others.find(({ activeUntil, users }) => activeUntil >= earliest && users.has(user))
    return found && `${found.id} may have saved the same answer for the same user at the same time`
  }

  async #others(): Promise<OtherWriter[]> {
    const self = this.#self
    const names = await readdir(this.#folder).catch(() => [])
    const others: OtherWriter[] = []
    // The files are read one at a time, because a process can open only a limited number of files.
    for (const name of names.filter((name) => name.endsWith('.json') && name !== this.#name)) {
      const other = await this.#read(name)
      // Other shards of the same input are omitted, because they contain different users.
      const { input, index } = other?.part ?? {}
      if (!other || (input === self.part?.input && index !== self.part?.index)) continue
      if (other.users.overlaps(self.users)) others.push(other)
    }
    return others
  }

  async #write(settleMs: number, isRunning: boolean): Promise<void> {
    const saved = this.#written.then(async () => {
      const { id, part, users } = this.#self
      const { hasInternalIds } = users
      const holder = isRunning ? await describeProcess(process.pid) : undefined
      const activeUntil = this.#clock.now() + settleMs
      const mark: WriterMark = { id, part, users: this.#users, hasInternalIds, activeUntil, settleMs, holder }
      const path = join(this.#folder, this.#name)
      writeOrExplain(this.#folder, () => replaceFile(path, JSON.stringify(mark)))
    })
    this.#written = saved.catch(() => undefined)
    await saved
  }

  async #read(name: string): Promise<OtherWriter | undefined> {
    const path = join(this.#folder, name)
    const mark = await readFile(path, 'utf8')
      .then((text): WriterMark => JSON.parse(text))
      .catch(() => undefined)
    if (mark === undefined) return undefined
    // A mark from an older version of facescan does not contain `settleMs`.
    const { id, part, holder, activeUntil, settleMs = activeUntil } = mark
    const isOld = activeUntil < this.#clock.now() - forgottenAfterMs
    // A process on another machine cannot be checked. Such a process renews its mark while it runs, so it has ended if its mark is old.
    const isRunning = holder !== undefined && !((await hasEnded(holder)) ?? isOld)
    if (!isRunning && isOld) {
      await rm(path, { force: true }).catch(() => undefined)
      return undefined
    }
    const users = BloomFilter.parse(mark.users, mark.hasInternalIds)
    return { id, part, users, activeUntil: isRunning ? Number.POSITIVE_INFINITY : activeUntil, settleMs }
  }
}

/** Number of bits, a power of two. Few bits are set, so a compressed filter is small. */
const bitCount = 2 ** 21

/** A set of users with one bit per user. If `has` returns true, the set only probably contains the user. */
export class BloomFilter {
  readonly #bytes: Uint8Array
  /** Whether the set contains user IDs. `has` is then always true, because external user IDs cannot be compared with them. */
  hasInternalIds: boolean

  constructor(bytes: Uint8Array = new Uint8Array(bitCount / 8), hasInternalIds = false) {
    this.#bytes = bytes
    this.hasInternalIds = hasInternalIds
  }

  static parse(text: string, hasInternalIds: boolean): BloomFilter {
    return new BloomFilter(inflateSync(Buffer.from(text, 'base64')), hasInternalIds)
  }

  toString(): string {
    return deflateSync(this.#bytes, { level: 1 }).toString('base64')
  }

  add(hash: number, isInternalId: boolean): void {
    const bit = hash & (bitCount - 1)
    this.#bytes[bit >> 3] = (this.#bytes[bit >> 3] as number) | (1 << (bit & 7))
    this.hasInternalIds ||= isInternalId
  }

  has({ kind, id }: UserRef): boolean {
    if (this.hasInternalIds || kind === 'user_id') return true
    const bit = hashUserId(id) & (bitCount - 1)
    return ((this.#bytes[bit >> 3] as number) & (1 << (bit & 7))) !== 0
  }

  overlaps(other: BloomFilter): boolean {
    if (this.hasInternalIds || other.hasInternalIds) return true
    return this.#bytes.some((byte, at) => (byte & (other.#bytes[at] as number)) !== 0)
  }
}

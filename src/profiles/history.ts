import { createHmac } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { orUndefined } from '../base/or-undefined.ts'
import {
  ensureSecret,
  readOwnerFile,
  readSecret,
  withLock,
  writeOwnerFile,
} from '../base/system/owner-file.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'
import { cannotWrite } from '../base/system/system-code.ts'
import { appendedMark, assertOwnLog, findEnd, headPath, logPath } from './history-files.ts'
import { bounded, type HistoryRecord, type Intent, type Outcome, sealLine } from './history-line.ts'

const rotateAtBytes = 1024 * 1024

/** Files that are flushed to disk. Each flush takes milliseconds. */
type Flushed = 'head and log' | 'head' | 'nothing'

/** Appends a record to the log and returns its sequence number. Completes the log first if a process died while it wrote a line. */
export async function appendHistory(
  paths: Paths,
  record: HistoryRecord,
  flushed: Flushed = 'head and log',
): Promise<number> {
  const directory = requireDirectory(paths, 'state')
  return withLock(directory, 'history', async () => {
    await assertOwnLog(directory)
    let { end, repair, damage } = await findEnd(directory)
    const found = damage.map((detail) => ({ time: record.time, event: 'damage', detail }) as const)
    try {
      if (repair === '') await rotate(directory, end.sequence)
      else await appendText(directory, repair, true)
      for (const one of [...found, record]) {
        const sealed = sealLine(one, end)
        await appendLine(directory, sealed.text, flushed)
        end = sealed.end
      }
    } catch (error) {
      throw cannotWrite(
        `the audit log in ${directory}`,
        error,
        'Check the free disk space and the file permissions.',
      )
    }
    return end.sequence
  })
}

/**
 * Replaces the head with the line in one step, then appends the line to the log. If the process dies in between, the line
 * stays in the head, and the next append completes the log. If the log cannot be written, the head is restored.
 */
async function appendLine(directory: string, text: string, flushed: Flushed): Promise<void> {
  const head = headPath(directory)
  const before = await readOwnerFile(head)
  await writeOwnerFile(head, `${text}\n`, flushed !== 'nothing')
  try {
    await appendText(directory, `${text}\n`, flushed === 'head and log')
  } catch (error) {
    const withdrawn = before === undefined ? rm(head) : writeOwnerFile(head, before)
    await withdrawn.catch(() => undefined)
    throw error
  }
  appendFileSync(head, appendedMark)
}

/** Appends the entire text or nothing: a full disk must not leave a part of a line. */
async function appendText(directory: string, text: string, flush: boolean): Promise<void> {
  const path = logPath(directory)
  const size = (await stat(path).catch(() => undefined))?.size ?? 0
  try {
    await writeFile(path, text, { flag: 'a', mode: 0o600, flush })
  } catch (error) {
    await truncate(path, size).catch(() => undefined)
    throw error
  }
}

async function rotate(directory: string, sequence: number): Promise<void> {
  const current = await stat(logPath(directory)).catch(() => undefined)
  if (!current || current.size < rotateAtBytes) return
  await rename(logPath(directory), join(directory, `history-${String(sequence).padStart(9, '0')}.ndjson`))
}

/** A change as its caller describes it. The time and the operating-system user are added. */
export type NewIntent = Pick<Intent, 'profile' | 'host' | 'command'> &
  Partial<Omit<Intent, 'time' | 'event' | 'os_user'>>

export type NewOutcome = Pick<Outcome, 'outcome'> &
  Partial<Pick<Outcome, 'status' | 'request_id' | 'user_id' | 'detail'>>

export interface OpenEntry {
  end(outcome: NewOutcome): Promise<void>
}

/**
 * Writes the intent of a change. Throws if it cannot be written; the change must not be made then. The intent of a request is
 * flushed, because the service may keep the change when this machine fails. A change of a local file is flushed by that file.
 */
export async function openEntry(paths: Paths, now: () => number, intent: NewIntent): Promise<OpenEntry> {
  const time = () => new Date(now()).toISOString()
  const { profile, host, command, path, detail, reason } = intent
  const isLocal = !intent.method && !intent.is_import
  const sequence = await appendHistory(
    paths,
    {
      time: time(),
      event: 'intent',
      os_user: bounded(osUser()),
      profile: profile && bounded(profile),
      host: host && bounded(host, 255),
      fingerprint: intent.fingerprint ?? null,
      command: bounded(command),
      method: intent.method ?? null,
      path: path ? bounded(path, 128) : null,
      user_id: intent.user_id ?? null,
      external_id_hash: intent.external_id_hash ?? null,
      is_import: intent.is_import ?? false,
      detail: detail ? bounded(detail, 128) : null,
      reason: reason ? bounded(reason, 200) : null,
    },
    isLocal ? 'nothing' : 'head and log',
  )
  return {
    end: async ({ outcome, status = null, request_id = null, user_id = null, detail: ended }) => {
      const detail = ended ? bounded(ended, 128) : null
      const facts = { outcome, status, request_id, user_id, detail }
      await appendHistory(paths, { time: time(), event: 'outcome', intent: sequence, ...facts }, 'head')
    },
  }
}

/** A container may run under a number that has no name. */
function osUser(): string {
  return orUndefined(() => userInfo().username) ?? `uid ${process.getuid?.() ?? 'unknown'}`
}

/**
 * The keyed hash that stands for an external user ID in the log. Without the key, a short ID could be found by hashing all
 * of them. Undefined if there is no key yet and `create` is false.
 */
export async function hashExternalId(
  paths: Paths,
  externalId: string,
  { create }: { create: boolean },
): Promise<string | undefined> {
  const path = join(requireDirectory(paths, 'state'), 'history.key')
  const key = await (create ? ensureSecret(path, 'history', 32) : readSecret(path))
  return key && createHmac('sha256', key).update(externalId).digest('hex').slice(0, 32)
}

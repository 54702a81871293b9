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
import { type HistoryRecord, type Intent, type Outcome, sealLine } from './history-line.ts'

const rotateAtBytes = 1024 * 1024

/** Appends a record to the log and returns its sequence number. Completes the log first if a process died while it wrote a line. */
export async function appendHistory(paths: Paths, record: HistoryRecord): Promise<number> {
  const directory = requireDirectory(paths, 'state')
  return withLock(directory, 'history', async () => {
    await assertOwnLog(directory)
    let { end, repair, damage } = await findEnd(directory)
    const found = damage.map((detail) => ({ time: record.time, event: 'damage', detail }) as const)
    try {
      if (repair === '') await rotate(directory, end.sequence)
      else await appendText(directory, repair)
      for (const one of [...found, record]) {
        const sealed = sealLine(one, end)
        await appendLine(directory, sealed.text)
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
async function appendLine(directory: string, text: string): Promise<void> {
  const head = headPath(directory)
  const before = await readOwnerFile(head)
  await writeOwnerFile(head, `${text}\n`)
  try {
    await appendText(directory, `${text}\n`)
  } catch (error) {
    const withdrawn = before === undefined ? rm(head) : writeOwnerFile(head, before)
    await withdrawn.catch(() => undefined)
    throw error
  }
  appendFileSync(head, appendedMark)
}

/** Appends the entire text or nothing: a full disk must not leave a part of a line. */
async function appendText(directory: string, text: string): Promise<void> {
  const path = logPath(directory)
  const size = (await stat(path).catch(() => undefined))?.size ?? 0
  try {
    await writeFile(path, text, { flag: 'a', mode: 0o600, flush: true })
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

export type NewOutcome = Pick<Outcome, 'outcome'> & Partial<Omit<Outcome, 'time' | 'event' | 'intent'>>

/** Writes the outcome of a change. */
export type EndEntry = (outcome: NewOutcome) => Promise<void>

/** Default values of the optional facts. */
const noFacts = {
  fingerprint: null,
  method: null,
  path: null,
  user_id: null,
  external_id_hash: null,
  is_import: false,
  detail: null,
  reason: null,
}

const noResult = { status: null, request_id: null, user_id: null, detail: null }

/** Writes the intent of a change to disk. Throws if it cannot be written; the change must not be made then. */
export async function openEntry(paths: Paths, now: () => number, intent: NewIntent): Promise<EndEntry> {
  const time = () => new Date(now()).toISOString()
  const started = { time: time(), event: 'intent', os_user: osUser() } as const
  const sequence = await appendHistory(paths, { ...started, ...noFacts, ...intent })
  return async (outcome) => {
    const ended = { time: time(), event: 'outcome', intent: sequence } as const
    await appendHistory(paths, { ...ended, ...noResult, ...outcome })
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

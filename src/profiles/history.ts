import { appendFileSync } from 'node:fs'
import { rename, stat, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { cannotWrite } from '../base/system/cannot-write.ts'
import { withLock, writeOwnerFile } from '../base/system/owner-file.ts'
import { type Paths, requireDirectory } from '../base/system/paths.ts'
import { appendedMark, assertOwnLog, findEnd, headPath, logPath } from './history-end.ts'
import { bounded, type HistoryRecord, type Intent, type OutcomeWord, sealLine } from './history-line.ts'

const rotateAtBytes = 1024 * 1024

/**
 * Appends a record to the log and returns its sequence number. The line is written to the head first, which is replaced in
 * one step and flushed, and then appended to the log. A process that dies in between leaves the line in the head, and the
 * next append completes the log. `flush` also flushes the log, including the lines before.
 */
export async function appendHistory(
  paths: Paths,
  record: HistoryRecord,
  { flush = true } = {},
): Promise<number> {
  const directory = requireDirectory(paths, 'state')
  return withLock(directory, 'history', async () => {
    await assertOwnLog(directory)
    const { end, repair, damage } = await findEnd(directory)
    const found = damage.map((detail) => ({ time: record.time, event: 'damage', detail }) as const)
    let [text, last] = [repair, end]
    let line = ''
    for (const one of [...found, record]) {
      const sealed = sealLine(one, last)
      line = sealed.text
      last = sealed.end
      text += `${line}\n`
    }
    try {
      if (repair === '') await rotate(directory, end.sequence)
      await writeOwnerFile(headPath(directory), `${JSON.stringify({ ...last, line })}\n`)
      await writeFile(logPath(directory), text, { flag: 'a', mode: 0o600, flush })
      appendFileSync(headPath(directory), appendedMark)
    } catch (error) {
      throw cannotWrite(`the audit log in ${directory}`, error, 'Check the free space and the permissions.')
    }
    return last.sequence
  })
}

/** Starts a new file if the current one is full. */
async function rotate(directory: string, sequence: number): Promise<void> {
  const current = await stat(logPath(directory)).catch(() => undefined)
  if (!current || current.size < rotateAtBytes) return
  await rename(logPath(directory), join(directory, `history-${String(sequence).padStart(9, '0')}.ndjson`))
}

/** A change as its caller describes it. The time and the operating-system user are added. */
export type NewIntent = Omit<Intent, 'time' | 'event' | 'os_user'>

export interface NewOutcome {
  outcome: OutcomeWord
  status?: number | null
  requestId?: string | null
  userId?: string | null
  detail?: string | null
}

/** A change whose intent is on disk. */
export interface OpenEntry {
  /** Resolves when the outcome is in the log. The outcome is not lost if the process dies, only if the machine does. */
  end(outcome: NewOutcome): Promise<void>
}

/** Writes the intent of a change. Throws if it cannot be written; the change must not be made then. */
export async function openEntry(paths: Paths, now: () => number, intent: NewIntent): Promise<OpenEntry> {
  const time = () => new Date(now()).toISOString()
  const { profile, host, command, path, detail, reason } = intent
  const sequence = await appendHistory(paths, {
    time: time(),
    event: 'intent',
    os_user: bounded(osUser()),
    ...intent,
    profile: profile && bounded(profile),
    host: host && bounded(host, 255),
    command: bounded(command),
    path: path && bounded(path, 128),
    detail: detail && bounded(detail, 128),
    reason: reason && bounded(reason, 200),
  })
  return {
    end: async ({ outcome, status = null, requestId = null, userId = null, detail: ended = null }) => {
      await appendHistory(
        paths,
        {
          time: time(),
          event: 'outcome',
          intent: sequence,
          outcome,
          status,
          request_id: requestId,
          user_id: userId,
          detail: ended && bounded(ended, 128),
        },
        { flush: false },
      )
    },
  }
}

/** A container may run under a number that has no name. */
function osUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

import { AuditLog, type ChangeFacts, type EndEntry } from '../audit/log.ts'
import type { Clock } from '../base/clock.ts'
import { RefusedError } from '../base/errors.ts'
import { toUrl } from '../base/text.ts'
import { changeProfiles } from './change-profiles.ts'
import type { StoreAccess } from './key-stores.ts'
import { findProfile, type ProfileFile } from './profile.ts'

export interface EditAccess extends StoreAccess {
  clock: Clock
  command: string
  /** Whether an audit command is replaced even if it fails. */
  ignoreAuditFailure?: boolean
}

interface LoggedEdit {
  name: string
  /** Text for the audit log. It must not contain a key or a key command. */
  detail: string
  reason?: string
}

type StoreChange<T> = (() => Promise<T>) | undefined

/**
 * Changes the profile file. `change` modifies its argument, and returns a function that changes the key store. First the intent is written
 * to the audit log, then the function runs, and then the file is written. If `change` throws, nothing is logged, because the name of an
 * unknown profile can be a key that was typed by mistake.
 */
export async function changeLogged<T>(
  access: EditAccess,
  { name, detail, reason }: LoggedEdit,
  change: (file: ProfileFile) => StoreChange<T> | Promise<StoreChange<T>>,
): Promise<T | undefined> {
  let entry: LogEntry | undefined
  try {
    const result = await changeProfiles(access.paths, async (file) => {
      const before = { ...findProfile(file, name) }
      const changeStore = await change(file)
      const { baseUrl = '', fingerprint = null, auditCommand } = findProfile(file, name) ?? before
      const { command } = access
      const host = toUrl(baseUrl)?.host ?? null
      const facts = { profile: name, host, fingerprint, command, detail, reason: reason ?? null }
      entry = await beginEntry(access, facts, before.auditCommand, auditCommand)
      return changeStore?.()
    })
    await entry?.end({ outcome: 'done' })
    return result
  } catch (error) {
    await entry?.end({ outcome: 'failed' }).catch(() => undefined)
    throw error
  } finally {
    await entry?.log.close()
  }
}

interface LogEntry {
  log: AuditLog
  end: EndEntry
}

/**
 * Writes the intent of an edit to the audit log, and passes it to the previous and to the new audit command of the profile. Throws if one
 * of the commands fails. With `ignoreAuditFailure`, the previous command may fail.
 */
async function beginEntry(
  access: EditAccess,
  facts: ChangeFacts,
  before: string | undefined,
  after: string | undefined,
): Promise<LogEntry> {
  const begin = async (receivers: readonly (string | undefined)[], detail = facts.detail) => {
    const auditCommands = receivers.filter((one) => one !== undefined)
    const log = new AuditLog({ ...access, auditCommands, facts: { ...facts, detail } })
    try {
      return { log, end: await log.begin() }
    } catch (error) {
      await log.close().catch(() => undefined)
      throw error
    }
  }
  try {
    return await begin([...new Set([before, after])])
  } catch (error) {
    if (!(error instanceof RefusedError) || before === undefined || before === after) throw error
    if (access.ignoreAuditFailure)
      return begin([after], `${facts.detail}; the previous audit command did not accept this entry`)
    const hint = 'If the current audit command fails, add --ignore-audit-failure.'
    throw new RefusedError(error.message, { hint: [error.details.hint ?? [], hint].flat() })
  }
}

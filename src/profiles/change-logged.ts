import { AuditLog, type EndEntry, tryAuditCommand } from '../audit/log.ts'
import type { Clock } from '../base/clock.ts'
import { toUrl } from '../base/text.ts'
import type { StoreAccess } from './key-stores.ts'
import { findProfile, type ProfileFile } from './profile.ts'
import { changeProfiles } from './profile-file.ts'

export interface EditAccess extends StoreAccess {
  clock: Clock
  command: string
}

interface LoggedEdit {
  name: string
  /** Default: the base URL and the fingerprint of the stored profile. */
  baseUrl?: string | undefined
  fingerprint?: string | undefined
  /** Text for the audit log, without a key and without a key command. */
  detail: string
  reason?: string
  /** A new audit command. The profile is changed only if the command accepts a line. */
  auditCommand?: string | undefined
}

type StoreChange<T> = (() => Promise<T>) | undefined

/**
 * Changes the profile file. `change` checks and changes the object that it receives, and returns a function that changes the key store. The
 * order is: the intent (planned change) is written to the audit log, the returned function runs, the profile file is written. A change that
 * is not possible is not logged, because its profile name may be a mistyped key.
 */
export async function changeLogged<T>(
  access: EditAccess,
  { name, detail, reason, auditCommand, ...edit }: LoggedEdit,
  change: (file: ProfileFile) => StoreChange<T> | Promise<StoreChange<T>>,
): Promise<T | undefined> {
  let log: AuditLog | undefined
  let endEntry: EndEntry | undefined
  try {
    const result = await changeProfiles(access.paths, async (file) => {
      const stored = findProfile(file, name)
      const host = toUrl(edit.baseUrl ?? stored?.baseUrl ?? '')?.host ?? null
      const fingerprint = edit.fingerprint ?? stored?.fingerprint ?? null
      // The audit command is read before the change. If the change removes the audit command, the command still receives the entry about
      // its removal.
      const { command } = access
      const facts = { profile: name, host, fingerprint, command, detail, reason: reason ?? null }
      const replaced = stored?.auditCommand
      const changeStore = await change(file)
      const options = { ...access, auditCommand: replaced, facts }
      if (auditCommand) await tryAuditCommand(auditCommand, options)
      log = await AuditLog.open(options)
      endEntry = await log.begin()
      return changeStore?.()
    })
    await endEntry?.({ outcome: 'done' })
    return result
  } catch (error) {
    await endEntry?.({ outcome: 'failed' }).catch(() => undefined)
    throw error
  } finally {
    await log?.close()
  }
}

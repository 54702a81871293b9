import { AuditLog, type EndEntry, toIntent } from '../audit/log.ts'
import { toLine } from '../audit/log-file.ts'
import type { ChangeFacts } from '../audit/schemas.ts'
import type { Clock } from '../base/clock.ts'
import { RefusedError } from '../base/errors.ts'
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
      if (auditCommand) await checkAuditCommand(auditCommand, facts, access)
      log = await AuditLog.open({ ...access, auditCommand: replaced, facts })
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

/**
 * Throws if a new audit command does not accept the entry about its own addition. A profile with a failing audit command cannot change
 * anything.
 */
async function checkAuditCommand(command: string, facts: ChangeFacts, access: EditAccess): Promise<void> {
  const { AuditCommand } = await import('../audit/audit-command.ts')
  const started = await AuditCommand.start(command, access.env)
  await started.send(toLine(toIntent(access.clock.now(), facts)))
  const failure = await started.close()
  if (!failure) return
  throw new RefusedError(failure.message, {
    hint: 'Run the command yourself. It must exit with code 0 when its input ends.',
  })
}

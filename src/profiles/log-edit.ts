import type { Clock } from '../base/io.ts'
import { toUrl } from '../base/text/to-url.ts'
import { type OpenEntry, openEntry } from './history.ts'
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
  /** Contains no key and no key command. */
  detail: string
  reason?: string
}

/**
 * Changes the profile file. `plan` checks the change and returns the function that makes it, which runs after the intent is in
 * the audit log. A change that is not possible is not logged, because its name may be a mistyped key.
 */
export async function changeLogged<T>(
  access: EditAccess,
  edit: LoggedEdit,
  plan: (file: ProfileFile) => Promise<() => Promise<T>>,
): Promise<T> {
  let entry: OpenEntry | undefined
  try {
    const result = await changeProfiles(access.paths, async (file) => {
      const change = await plan(file)
      entry = await openEntry(access.paths, () => access.clock.now(), toIntent(access, edit, file))
      return change()
    })
    await entry?.end({ outcome: 'done' })
    return result
  } catch (error) {
    await entry?.end({ outcome: 'failed' }).catch(() => undefined)
    throw error
  }
}

function toIntent({ command }: EditAccess, { name, detail, reason, ...edit }: LoggedEdit, file: ProfileFile) {
  const stored = findProfile(file, name)
  const baseUrl = edit.baseUrl ?? stored?.baseUrl
  return {
    profile: name,
    host: toUrl(baseUrl ?? '')?.host ?? null,
    fingerprint: edit.fingerprint ?? stored?.fingerprint ?? null,
    command,
    detail,
    ...(reason && { reason }),
  }
}

import { UsageError } from '../base/errors.ts'
import { requireProfile } from './edit-profiles.ts'
import { changeLogged, type EditAccess } from './log-edit.ts'
import type { Protection } from './profile.ts'

interface ProfileChanges {
  protect?: Protection | undefined
  baseUrl?: string | undefined
  keyCommand?: string | undefined
  reference?: boolean | undefined
}

/** Changes settings of a profile. */
export function setProfile(
  access: EditAccess,
  name: string,
  { protect, baseUrl, keyCommand, reference }: ProfileChanges,
): Promise<void> {
  const changed = [
    protect && `protect ${protect}`,
    baseUrl && 'base URL',
    keyCommand && 'key command',
    reference !== undefined && `reference ${reference ? 'on' : 'off'}`,
  ]
  const detail = changed.filter(Boolean).join(', ')
  return changeLogged(access, { name, baseUrl, detail }, async (file, begin) => {
    const profile = requireProfile(file, name)
    if (keyCommand !== undefined && profile.store !== 'command') throw notACommand(name)
    await begin()
    if (reference !== undefined) profile.reference = reference
    if (protect !== undefined) Object.assign(profile, { protect, unlock: undefined })
    if (baseUrl !== undefined) profile.baseUrl = baseUrl
    // The next key that the new command prints is trusted.
    if (keyCommand !== undefined) Object.assign(profile, { keyCommand, fingerprint: undefined })
  })
}

function notACommand(name: string): UsageError {
  return new UsageError(`profile ${name} does not use a key command`, {
    hint: `Change the store: facescan profiles add ${name} --replace --key-command '…'`,
  })
}

import { mkdtemp } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { beforeEach } from 'vitest'
import type { ServiceFlags } from '../../src/base/errors.ts'
import type { Environment } from '../../src/base/io.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { keyStores } from '../../src/profiles/key-stores.ts'
import type { Profile } from '../../src/profiles/profile.ts'
import { fingerprintOf, Secret } from '../../src/profiles/secret.ts'
import { resolveSession, type Session } from '../../src/profiles/session.ts'

export const now = Date.UTC(2026, 0, 1)
export const developmentKey = 'dev.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
export const productionKey = 'prd.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'
export const otherKey = 'oth.0!1-2_3@4.5!6-7_8@9.0!1-2_3@4.5!6-7_'

export const clock = { now: () => now }
export const { signal } = new AbortController()
/** The uptime in ms at the start of the test. It is set before each test, because the uptime grows while other tests run. */
export let fromUptime: number
export let directory: string
export let paths: Paths

export async function addProfile(name: string, key: string, more: Partial<Profile> = {}): Promise<void> {
  const secret = new Secret(key)
  await changeProfiles(paths, async (file) => {
    await keyStores.file.write(name, secret, { paths, env: {} })
    const baseUrl = `https://${name.toLowerCase()}.example`
    file.profiles[name] = { store: 'file', fingerprint: fingerprintOf(secret), baseUrl, ...more }
  })
}

export function resolve(flags: ServiceFlags, env: Environment = {}, stdin: string[] = []): Promise<Session> {
  return resolveSession({ flags, env, io: { stdin: Readable.from(stdin) }, signal, paths, clock })
}

export async function keyAndProfile(flags: ServiceFlags, env: Environment = {}, stdin: string[] = []) {
  const session = await resolve(flags, env, stdin)
  return [session.profile, session.credential?.secret.reveal()]
}

/** Sets `paths` to an empty home directory before each test. */
export function useEmptyHome(): void {
  beforeEach(async () => {
    fromUptime = uptime() * 1_000
    directory = await mkdtemp(join(tmpdir(), 'facescan-session-'))
    paths = resolvePaths({
      FACESCAN_CONFIG_DIR: join(directory, 'config'),
      FACESCAN_STATE_DIR: join(directory, 'state'),
    })
  })
}

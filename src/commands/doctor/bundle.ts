import { readdir, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { readLog } from '../../audit/changes.ts'
import { FacescanError } from '../../base/errors.ts'
import { assertOwnDirectory } from '../../base/paths.ts'
import { crashDirectory, version } from '../../base/process.ts'
import type { Context } from '../../framework/context.ts'
import { ownVariables } from '../../framework/environment.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import type { Finding } from './finding.ts'

const latestCrashes = 5
const ownNames: ReadonlySet<string> = new Set(ownVariables.map(([name]) => name))
const otherVariables = /^(XDG_\w+_HOME|NODE_\w+|SSL_CERT_FILE|https?_proxy|no_proxy|TERM|CI|NO_COLOR)$/i
/** The checks whose texts contain only versions. Other texts can contain a name, a path, or an address, so they are omitted. */
const plainChecks: readonly string[] = ['program', 'node']

/** Descriptions of the parts, which are shown before the bundle is written. */
export const bundleParts = [
  'program: versions of facescan, Node, and the operating system',
  'findings: the status of each check above, without the text',
  'profiles: names, environments, key stores, protections, and key fingerprints',
  'variables: names (not values)',
  'history: number of changes in the audit log',
  `crashes: stack traces of the last ${latestCrashes} crashes, without error messages`,
]

/** Collects the data for support. Includes only fields that are known to be harmless. */
export async function collectBundle(ctx: Context, findings: readonly Finding[]): Promise<object> {
  const { paths, env, clock } = ctx
  return {
    program: { facescan: version, node: process.version, platform: process.platform, arch: process.arch },
    findings: findings.map(({ check, status, detail }) =>
      plainChecks.includes(check) ? { check, status, detail } : { check, status },
    ),
    profiles: await listHarmless(paths, clock.now()).catch(toErrorPart),
    variables: Object.keys(env)
      .filter((name) => ownNames.has(name) || otherVariables.test(name))
      .toSorted(),
    history: await readLog(paths)
      .then(({ changes, damaged }) => ({ entries: changes.length, damaged }))
      .catch(toErrorPart),
    crashes: await readCrashes(paths.state).catch(toErrorPart),
  }
}

async function listHarmless(paths: Context['paths'], now: number): Promise<object[]> {
  const listed = await listProfiles(paths, now)
  return listed.map(({ name, environment, store, protect, fingerprint }) => {
    return { name, environment, store, protect, fingerprint }
  })
}

/** The bundle as one JSON document, in which `~` replaces the home directory. */
export function toBundleText(content: object, home = homedir()): string {
  return `${JSON.stringify(content, (_, value) => withoutHome(value, home), 2)}\n`
}

/** Replaces the home directory in all texts. A home directory `/` is not replaced, because every path contains `/`. */
function withoutHome(value: unknown, home: string): unknown {
  return typeof value === 'string' && dirname(home) !== home ? value.replaceAll(home, '~') : value
}

/** A part of the report that could not be collected. It contains only the error code, because a message may contain a name or a path. */
function toErrorPart(error: unknown): unknown {
  if (error instanceof FacescanError) return { error: error.code }
  throw error
}

async function readCrashes(state: string | undefined): Promise<string[]> {
  if (!state) return []
  const directory = crashDirectory(state)
  assertOwnDirectory(directory)
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  // Only regular files: a link could lead to a key file, and reading a named pipe could block forever.
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const latest = names.toSorted().slice(-latestCrashes)
  return Promise.all(latest.map((name) => readFile(join(directory, name), 'utf8')))
}

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { countEntries } from '../../audit/list-entries.ts'
import { FacescanError, UsageError } from '../../base/errors.ts'
import { crashDirectory } from '../../base/system/crash-report.ts'
import { systemCode, systemReason } from '../../base/system/system-code.ts'
import { version } from '../../base/version.ts'
import type { Context } from '../../command/context.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import type { Finding } from './finding.ts'

const latestCrashes = 5
const shownVariables = /^(FACESCAN_|XDG_|NODE_|SSL_CERT|https?_proxy$|no_proxy$|TERM$|CI$|NO_COLOR$)/i

/** The parts of the bundle, as they are described before it is written. */
export const bundleParts = [
  'program: versions of facescan, Node, and the operating system',
  'findings: the results of the checks above',
  'profiles: names, base URLs, key stores, and key fingerprints',
  'variables: names (not values)',
  'history: number of entries in the audit log',
  `crashes: stack traces of the last ${latestCrashes} crashes, without error messages`,
]

/** Collects the data for support. It contains only fingerprints of keys, names of variables, and counts of the history. */
export async function collectBundle(ctx: Context, findings: readonly Finding[]): Promise<object> {
  const { paths, env, clock } = ctx
  return {
    program: { facescan: version, node: process.version, platform: process.platform, arch: process.arch },
    findings,
    profiles: await listProfiles(paths, clock.now()).catch(toErrorPart),
    variables: Object.keys(env)
      .filter((name) => shownVariables.test(name))
      .toSorted(),
    history: await countEntries(paths).catch(toErrorPart),
    crashes: await readCrashes(paths.state),
  }
}

/** Writes the bundle as one owner-only JSON document. Replaces the home directory in paths by `~`. */
export async function writeBundle(file: string, content: object, home = homedir()): Promise<void> {
  const text = JSON.stringify(content, (_, value) => withoutHome(value, home), 2)
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new UsageError(`${file} already exists`)
    await rm(file, { force: true })
    throw new UsageError(`cannot write ${file} (${systemReason(error)})`)
  }
}

/** A user without a home directory has `/`, and every path contains `/`. */
function withoutHome(value: unknown, home: string): unknown {
  return typeof value === 'string' && dirname(home) !== home ? value.replaceAll(home, '~') : value
}

/** A part that fails is replaced by its error. The findings describe the error. */
function toErrorPart(error: unknown): unknown {
  if (error instanceof FacescanError) return { error: error.message }
  throw error
}

async function readCrashes(state: string | undefined): Promise<string[]> {
  if (!state) return []
  const directory = crashDirectory(state)
  const names = await readdir(directory).catch(() => [])
  const latest = names.toSorted().slice(-latestCrashes)
  return Promise.all(latest.map((name) => readFile(join(directory, name), 'utf8')))
}

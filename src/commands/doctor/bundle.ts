import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { FacescanError, UsageError } from '../../base/errors.ts'
import { crashDirectory } from '../../base/system/crash-report.ts'
import { systemCode, systemReason } from '../../base/system/system-code.ts'
import { countOf } from '../../base/text/count.ts'
import { version } from '../../base/version.ts'
import type { Context } from '../../command/context.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import { verifyHistory } from '../../profiles/read-history.ts'
import type { Finding } from './finding.ts'

const latestCrashes = 5

export interface BundlePart {
  name: string
  /** Contents of the bundle, shown before it is written. */
  summary: string
  content: unknown
}

/** Collects the data for support. It contains only fingerprints of keys, names of variables, and counts of the history. */
export async function collectBundle(ctx: Context, findings: readonly Finding[]): Promise<BundlePart[]> {
  const { paths, env, clock } = ctx
  const profiles = await listProfiles(paths, clock.now()).catch(withoutContent)
  const history = await verifyHistory(paths).catch(withoutContent)
  const crashes = await readCrashes(paths.state)
  const variables = Object.keys(env)
    .filter((name) =>
      /^(FACESCAN_|XDG_|NODE_|SSL_CERT|https?_proxy$|no_proxy$|TERM$|CI$|NO_COLOR$)/i.test(name),
    )
    .toSorted()
  return [
    {
      name: 'program',
      summary: 'versions of facescan, Node, and the operating system',
      content: { facescan: version, node: process.version, platform: process.platform, arch: process.arch },
    },
    { name: 'findings', summary: `the ${findings.length} findings above`, content: findings },
    {
      name: 'profiles',
      summary: 'names, addresses, stores, and key fingerprints of the profiles',
      content: profiles,
    },
    {
      name: 'variables',
      summary: `names (not values) of ${countOf(variables.length, 'variable')}`,
      content: variables,
    },
    {
      name: 'history',
      summary: 'number of lines of the audit log, and whether it is intact',
      content: history,
    },
    {
      name: 'crashes',
      summary: `${countOf(crashes.length, 'crash report')}: stack frames without messages`,
      content: crashes,
    },
  ]
}

/** Writes the bundle as one owner-only JSON document. Replaces the home directory in paths by `~`. */
export async function writeBundle(
  file: string,
  parts: readonly BundlePart[],
  home = homedir(),
): Promise<void> {
  const content = Object.fromEntries(parts.map(({ name, content }) => [name, content]))
  const text = JSON.stringify(content, (_, value) => withoutHome(value, home), 2)
  try {
    await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new UsageError(`${file} already exists`)
    await rm(file, { force: true })
    throw new UsageError(`cannot write ${file} (${systemReason(error)})`)
  }
}

/** The home directory of a user without one is `/`, which is part of every path. */
function withoutHome(value: unknown, home: string): unknown {
  return typeof value === 'string' && dirname(home) !== home ? value.replaceAll(home, '~') : value
}

/** A part that fails is replaced by its error. The findings describe the error. */
function withoutContent(error: unknown): unknown {
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

import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { readLog } from '../../audit/changes.ts'
import { nearest } from '../../base/nearest.ts'
import { findModeProblem } from '../../base/paths.ts'
import { version } from '../../base/process.ts'
import { countOf, toUrl } from '../../base/text.ts'
import type { Context } from '../../framework/context.ts'
import { ownVariables } from '../../framework/environment.ts'
import { renderHints } from '../../output/hint.ts'
import { describeSession } from '../../profiles/describe-session.ts'
import { keyFilePath, keyStores, readKeys } from '../../profiles/key-stores.ts'
import {
  type ProfileFile,
  type StoreKind,
  sandboxProfile,
  storeNames,
  stores,
} from '../../profiles/profile.ts'
import { profileFilePath, readProfiles } from '../../profiles/profile-file.ts'
import { type Check, type CheckResult, ok, problem, skipped, warning } from './finding.ts'

type Machine = Pick<Context, 'env' | 'paths' | 'flags' | 'io' | 'clock' | 'signal'>

/** Checks that send nothing. Each check comes after the checks on which it depends. */
export function localChecks(machine: Machine): Check[] {
  const { env, paths } = machine
  const withProfiles = (look: (file: ProfileFile) => Promise<CheckResult>) => async () => {
    // If the profile file is invalid, the check `profiles` reports it. The checks that need the profiles are then skipped.
    const file = await readProfiles(paths).catch(() => undefined)
    return file ? look(file) : skipped('cannot read the profiles')
  }
  return [
    ['program', () => ok(`facescan ${version}, ${process.platform} ${process.arch}`)],
    ['node', () => checkNode(process.versions.node)],
    ['environment', () => checkVariables(env)],
    ['directories', () => checkDirectories(machine)],
    ['profiles', () => checkProfiles(machine)],
    ['development keys', withProfiles((file) => checkKeyFile(file, paths, 'development'))],
    ['production keys', withProfiles((file) => checkKeyFile(file, paths, 'production'))],
    ...storeNames
      .filter((store) => keyStores[store].findProblem)
      .map((store): Check => [store, withProfiles((file) => checkStore(store, file, env))]),
    ['session', withProfiles(() => checkSession(machine))],
    ['history', async () => checkHistory(await readLog(paths))],
    ['certificates', () => checkCertificates(env)],
    ['proxy', () => checkProxy(env)],
  ]
}

function profilesWith(store: StoreKind, { profiles }: ProfileFile): string[] {
  return Object.keys(profiles).filter((name) => profiles[name]?.store === store)
}

export function checkNode(running: string): CheckResult {
  const [major = 0, minor = 0] = running.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return ok(`Node ${running}`)
  return problem(`Node ${running} is too old`, 'Install Node 20.19 or newer.')
}

/** Finds FACESCAN_ variables with an unknown name, because facescan ignores them. */
function checkVariables(env: Machine['env']): CheckResult[] {
  const known = ownVariables.map(([name]) => name)
  const set = Object.keys(env).filter((name) => name.startsWith('FACESCAN_') && env[name] !== undefined)
  const unknown = set.filter((name) => !known.includes(name))
  if (unknown.length === 0) return [ok(set.length === 0 ? 'no FACESCAN_ variables set' : set.join(', '))]
  return unknown.map((name) => {
    const meant = nearest(name, known)
    const fix = meant ? `Did you mean ${meant}?` : 'Unset the variable.'
    return warning(`${name} is not a known variable`, fix)
  })
}

async function checkDirectories({ paths }: Machine): Promise<CheckResult[]> {
  const looked = (['config', 'state'] as const).map(async (kind) => {
    const directory = paths[kind]
    if (!directory)
      return warning(
        `no directory for ${kind} files (home directory not found)`,
        `Set FACESCAN_${kind.toUpperCase()}_DIR.`,
      )
    const found = findModeProblem(directory)
    return found ? problem(found.message, found.hint) : ok(`${kind}: ${directory}`)
  })
  return Promise.all(looked)
}

async function checkProfiles({ paths }: Machine): Promise<CheckResult> {
  const path = profileFilePath(paths) ?? ''
  const { default: chosen = sandboxProfile, profiles } = await readProfiles(paths)
  const readable = findModeProblem(path)
  if (readable) return warning(readable.message, readable.hint)
  const names = Object.keys(profiles)
  if (chosen !== sandboxProfile && !names.includes(chosen)) {
    const fix = 'Select another profile: facescan profiles use ACME-DEV'
    return problem(`default profile ${chosen} does not exist`, fix)
  }
  const withoutUrl = names.filter((name) => !profiles[name]?.baseUrl)
  if (withoutUrl.length > 0) {
    const fix = `Set the base URL: facescan profiles set ${withoutUrl[0]} --base-url https://…`
    return warning(`no base URL for ${withoutUrl.join(', ')}`, fix)
  }
  return ok(`${countOf(names.length, 'profile')} in ${basename(path)}; default: ${chosen}`)
}

async function checkKeyFile(
  file: ProfileFile,
  paths: Machine['paths'],
  kind: 'development' | 'production',
): Promise<CheckResult> {
  if (!paths.config) return skipped('no directory')
  const path = keyFilePath(paths.config, kind)
  const names = Object.keys(await readKeys(path))
  const users = profilesWith('file', file)
  const orphans = names.filter((name) => !users.includes(name))
  if (orphans.length === 0)
    return ok(
      names.length === 0
        ? 'no keys stored in a file'
        : `${countOf(names.length, 'key')} in ${basename(path)}`,
    )
  const fix = 'For each name, run profiles add NAME --replace, and then profiles remove NAME.'
  return warning(`${path} contains keys that no profile uses: ${orphans.join(', ')}`, fix)
}

async function checkStore(store: StoreKind, file: ProfileFile, env: Machine['env']): Promise<CheckResult> {
  const users = profilesWith(store, file)
  const found = await keyStores[store].findProblem?.(env)
  if (!found) return ok(users.length === 0 ? 'usable' : `usable; contains the keys for ${users.join(', ')}`)
  if (users.length === 0) return skipped(`not used by any profile; ${found}`)
  return problem(
    found,
    `Profiles with keys in the ${stores[store].title}: ${users.join(', ')}. Unlock the key store, or add these profiles again with --replace.`,
  )
}

async function checkSession(machine: Machine): Promise<CheckResult> {
  const { status, error } = await describeSession(machine)
  if (error) return problem(error.message, renderHints(error) ?? 'Check: facescan status')
  const key = status.settings.find(({ name }) => name === 'key')
  const profile = `${status.profile ?? 'no profile'} (${status.environment})`
  return ok(`${profile}, key ${status.fingerprint ?? '–'} (${key?.source})`)
}

function checkHistory({ changes, damaged }: { changes: unknown[]; damaged: number }): CheckResult {
  if (damaged === 0) return ok(`${countOf(changes.length, 'change')} in the audit log`)
  return warning(
    `${countOf(damaged, 'line')} of the audit log cannot be read`,
    'A full disk or a power failure can cause this. Otherwise, find out which program wrote to the history files in the state directory.',
  )
}

async function checkCertificates(env: Machine['env']): Promise<CheckResult | CheckResult[]> {
  const variables = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].filter((name) => env[name])
  if (variables.length === 0) return ok('using the certificate authorities bundled with Node')
  const looked = variables.map(async (name) => {
    const text = await readFile(env[name] ?? '', 'utf8').catch(() => undefined)
    if (text?.includes('-----BEGIN CERTIFICATE-----')) return ok(`${name}: ${env[name]}`)
    return problem(
      `${name}: ${env[name]} is not readable or contains no certificate`,
      `Fix or unset ${name}.`,
    )
  })
  return Promise.all(looked)
}

/** Shows the proxy without its password. */
async function checkProxy(env: Machine['env']): Promise<CheckResult> {
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].filter((name) => env[name])
  if (names.length === 0) return ok('none')
  const { shownHost } = await import('../../http/proxy.ts')
  const hostOf = (text: string) => {
    const host = toUrl(text.includes('://') ? text : `http://${text}`)?.host
    return host ? shownHost(host) : '(not a URL)'
  }
  const shown = names.map((name) => `${name}=${hostOf(env[name] ?? '')}`)
  const exempt = (env['no_proxy'] || env['NO_PROXY'] || '').split(/[\s,]+/).filter(Boolean)
  return ok(
    `${shown.join(', ')}${exempt.length > 0 ? `, except for ${exempt.map(shownHost).join(', ')}` : ''}`,
  )
}

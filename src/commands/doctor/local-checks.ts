import { readFile } from 'node:fs/promises'
import { nearest } from '../../base/nearest.ts'
import { findModeProblem } from '../../base/system/owner-file.ts'
import { countOf } from '../../base/text/count.ts'
import { toUrl } from '../../base/text/to-url.ts'
import { version } from '../../base/version.ts'
import type { Context } from '../../command/context.ts'
import { ownVariables } from '../../command/environment.ts'
import { describeSession } from '../../profiles/describe-session.ts'
import { keyFilePath, listKeyNames } from '../../profiles/key-file.ts'
import { findKeyringProblem } from '../../profiles/keyring.ts'
import type { ProfileFile } from '../../profiles/profile.ts'
import { profileFilePath, readProfiles } from '../../profiles/profile-file.ts'
import { verifyHistory } from '../../profiles/read-history.ts'
import { type Check, type Outcome, ok, problem, skipped, warning } from './finding.ts'

type Machine = Pick<Context, 'env' | 'paths' | 'flags' | 'io' | 'clock' | 'signal'>

/** Checks that send nothing, in the order of their dependencies. */
export function localChecks(machine: Machine): Check[] {
  const { env, paths } = machine
  return [
    { name: 'program', look: async () => ok(`facescan ${version}, ${process.platform} ${process.arch}`) },
    { name: 'node', look: async () => checkNode(process.versions.node) },
    { name: 'environment', look: async () => checkVariables(env) },
    { name: 'directories', look: () => checkDirectories(machine) },
    { name: 'profiles', look: () => checkProfiles(machine) },
    { name: 'development keys', look: () => checkKeyFile(machine, 'development') },
    { name: 'production keys', look: () => checkKeyFile(machine, 'production') },
    { name: 'keyring', look: () => checkKeyring(machine) },
    { name: 'session', look: () => checkSession(machine) },
    { name: 'history', look: async () => checkHistory(await verifyHistory(paths)) },
    { name: 'certificates', look: () => checkCertificates(env) },
    { name: 'proxy', look: async () => checkProxy(env) },
  ]
}

export function checkNode(running: string): Outcome {
  const [major = 0, minor = 0] = running.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return ok(`Node ${running}`)
  return problem(`Node ${running} is too old`, 'Install Node 20.19 or newer.')
}

/** A misspelled variable would be ignored silently. */
function checkVariables(env: Machine['env']): Outcome[] {
  const known = ownVariables.map(([name]) => name)
  const set = Object.keys(env).filter((name) => name.startsWith('FACESCAN_') && env[name] !== undefined)
  const unknown = set.filter((name) => !known.includes(name))
  if (unknown.length === 0)
    return [ok(set.length === 0 ? 'no FACESCAN_ variable is set' : `set: ${set.join(', ')}`)]
  return unknown.map((name) => {
    const meant = nearest(name, known)
    return warning(
      `${name} is set, but no such variable exists`,
      meant ? `Did you mean ${meant}?` : 'Unset it.',
    )
  })
}

async function checkDirectories({ paths }: Machine): Promise<Outcome[]> {
  const looked = (['config', 'state'] as const).map(async (kind) => {
    const directory = paths[kind]
    const variable = kind === 'config' ? 'FACESCAN_CONFIG_DIR' : 'FACESCAN_STATE_DIR'
    if (!directory) return warning(`no home directory for ${kind} files`, `Set ${variable}.`)
    const found = await findModeProblem(directory)
    return found ? problem(found.message, `Run: ${found.fix}`) : ok(directory)
  })
  return Promise.all(looked)
}

async function checkProfiles({ paths }: Machine): Promise<Outcome> {
  const file = await readProfiles(paths)
  const names = Object.keys(file.profiles)
  if (file.default && file.default !== 'SANDBOX-DEV' && !names.includes(file.default)) {
    return problem(
      `default profile ${file.default} does not exist`,
      'Select another profile: facescan profiles use ACME-DEV',
    )
  }
  const withoutUrl = names.filter((name) => !file.profiles[name]?.baseUrl)
  if (withoutUrl.length > 0) {
    return warning(
      `no base URL for ${withoutUrl.join(', ')}`,
      `Set it: facescan profiles set ${withoutUrl[0]} --base-url https://…`,
    )
  }
  return ok(
    `${countOf(names.length, 'profile')} in ${profileFilePath(paths)}, default ${file.default ?? 'SANDBOX-DEV'}`,
  )
}

const unreadable = skipped('cannot read the profiles')

/** Invalid profiles are reported by one check. Checks that depend on the profiles do not report them again. */
function readValidProfiles(paths: Machine['paths']): Promise<ProfileFile | undefined> {
  return readProfiles(paths).catch(() => undefined)
}

async function checkKeyFile({ paths }: Machine, kind: 'development' | 'production'): Promise<Outcome> {
  if (!paths.config) return skipped('no directory')
  const path = keyFilePath(paths.config, kind)
  const names = await listKeyNames(path)
  const file = await readValidProfiles(paths)
  if (!file) return unreadable
  const { profiles } = file
  const orphans = names.filter((name) => !Object.hasOwn(profiles, name) || profiles[name]?.store !== 'file')
  if (orphans.length === 0)
    return ok(names.length === 0 ? 'no keys in a file' : `${countOf(names.length, 'key')} in ${path}`)
  return warning(
    `${path} contains keys that no profile uses: ${orphans.join(', ')}`,
    'Add each profile again with --replace, and then remove it.',
  )
}

async function checkKeyring({ env, paths }: Machine): Promise<Outcome> {
  const file = await readValidProfiles(paths)
  if (!file) return unreadable
  const users = Object.entries(file.profiles).filter(([, profile]) => profile.store === 'keyring')
  const found = await findKeyringProblem(env)
  if (!found)
    return ok(
      users.length === 0
        ? 'usable'
        : `usable; contains the keys of ${users.map(([name]) => name).join(', ')}`,
    )
  if (users.length === 0) return skipped(`not usable, and not needed by any profile: ${found}`)
  return problem(
    found,
    `Needed by ${users.map(([name]) => name).join(', ')}. Unlock it, or add the keys again.`,
  )
}

async function checkSession({ flags, env, io, signal, paths, clock }: Machine): Promise<Outcome> {
  if (!(await readValidProfiles(paths))) return unreadable
  const status = await describeSession({ flags, env, stdin: io.stdin, signal, paths, now: clock.now() })
  if (status.problem) return problem(status.problem, 'Check: facescan status')
  const key = status.settings.find(({ name }) => name === 'key')
  return ok(
    `${status.profile ?? 'no profile'} (${status.environment}), key ${status.fingerprint ?? '–'} (${key?.source})`,
  )
}

function checkHistory(check: Awaited<ReturnType<typeof verifyHistory>>): Outcome {
  if (check.ok) return ok(`${countOf(check.lines, 'line')}; log intact`)
  return problem(
    `the log was altered: ${countOf(check.problems.length, 'problem')}`,
    'Show them: facescan history verify',
  )
}

async function checkCertificates(env: Machine['env']): Promise<Outcome | Outcome[]> {
  const variables = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].filter((name) => env[name])
  if (variables.length === 0) return ok('the authorities included in Node')
  const looked = variables.map(async (name) => {
    const text = await readFile(env[name] ?? '', 'utf8').catch(() => undefined)
    if (text?.includes('-----BEGIN CERTIFICATE-----')) return ok(`${name}=${env[name]}`)
    return problem(`${name}=${env[name]} is not readable or contains no certificate`, `Fix or unset ${name}.`)
  })
  return Promise.all(looked)
}

/** The proxy is shown without its password. */
function checkProxy(env: Machine['env']): Outcome {
  const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].filter((name) => env[name])
  if (names.length === 0) return ok('none')
  const shown = names.map((name) => `${name}=${withoutPassword(env[name] ?? '')}`)
  const exempt = env['no_proxy'] || env['NO_PROXY']
  return ok(`${shown.join(', ')}${exempt ? `, not for ${exempt}` : ''}`)
}

function withoutPassword(text: string): string {
  const full = text.includes('://') ? text : `http://${text}`
  return toUrl(full)?.host ?? '(not a URL)'
}

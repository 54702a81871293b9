import { FacescanError } from '../../src/base/errors.ts'
import { chooseProfile } from '../../src/profiles/choose-key.ts'
import { type Determined, determineSession } from '../../src/profiles/determine-session.ts'
import type { Profile, ProfileFile } from '../../src/profiles/profile.ts'
import { markdownTable } from '../helpers/generated.ts'

/** The inputs that determine a session, each with all its values. */
const dimensions = {
  source: ['none', 'profile', '--key-file', 'FACESCAN_API_KEY', 'FACESCAN_API_KEY and --profile', 'token'],
  profile: ['none', 'SANDBOX-DEV', 'ACME-DEV', 'ACME'],
  stored: ['no', 'in the profile', 'in OTHER-DEV', 'in OTHER'],
  baseUrl: ['not set', 'same origin', 'other origin'],
  service: ['remote', 'loopback'],
  protection: ['default', 'read-only', 'unlocked', 'confirm', 'off'],
} as const

export type SessionCase = { [Name in keyof typeof dimensions]: (typeof dimensions)[Name][number] }
export type Outcome = Determined | FacescanError

const moment = { now: 1_000, uptime: 1_000 }
const ownFingerprint = 'aaaaaaaaaaaa'
const unknownFingerprint = 'ffffffffffff'

function combine(): SessionCase[] {
  return Object.entries(dimensions).reduce<object[]>(
    (cases, [name, values]) => cases.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  ) as SessionCase[]
}

/** Excludes combinations that cannot occur, such as a stored key without a profile. */
function isPossible({ source, profile, stored }: SessionCase): boolean {
  const hasStore = profile === 'ACME' || profile === 'ACME-DEV'
  if (source === 'none') return !hasStore && stored === 'no'
  if (source === 'token') return stored === 'no'
  if (source === 'profile') return hasStore && stored === 'in the profile'
  if (source === 'FACESCAN_API_KEY and --profile' && profile === 'none') return false
  return hasStore || stored !== 'in the profile'
}

export const sessionCases = combine().filter(isPossible)

function toProfile({ protection, service }: SessionCase, fingerprint: string): Profile {
  const isReadOnly = protection === 'read-only' || protection === 'unlocked'
  return {
    store: 'file',
    fingerprint,
    baseUrl: service === 'loopback' ? 'http://127.0.0.1:8080' : 'https://api.example',
    protect: isReadOnly ? 'read-only' : protection === 'default' ? undefined : protection,
    unlock:
      protection === 'unlocked' ? { from: 0, until: 9_000, fromUptime: 0, reason: 'ticket 7' } : undefined,
  }
}

function toFile(one: SessionCase): ProfileFile {
  const others = { 'in OTHER-DEV': 'OTHER-DEV', 'in OTHER': 'OTHER' } as Record<string, string>
  const other = others[one.stored]
  const named = dimensions.profile.slice(2).find((name) => name === one.profile)
  return {
    version: 1,
    profiles: {
      ...(named && { [named]: toProfile(one, ownFingerprint) }),
      ...(other && { [other]: toProfile(one, 'bbbbbbbbbbbb') }),
    },
  }
}

/** The session, or the error, that the program determines for these facts. */
export function decide(one: SessionCase): Outcome {
  const file = toFile(one)
  const same = one.service === 'loopback' ? 'http://127.0.0.1:8080' : 'https://api.example'
  const other = one.service === 'loopback' ? 'http://127.0.0.1:45991' : 'https://other.example'
  const explicit = one.source === 'FACESCAN_API_KEY and --profile'
  const name = one.profile === 'none' ? undefined : one.profile
  const env = {
    FACESCAN_PROFILE: explicit ? undefined : name,
    FACESCAN_API_KEY: one.source.startsWith('FACESCAN_API_KEY') ? 'key' : undefined,
    FACESCAN_ACTION_TOKEN: one.source === 'token' ? 'token' : undefined,
    FACESCAN_BASE_URL: { 'not set': undefined, 'same origin': same, 'other origin': other }[one.baseUrl],
  }
  const flags = {
    profile: explicit ? name : undefined,
    keyFile: one.source === '--key-file' ? 'key' : undefined,
  }
  const fingerprints = {
    no: unknownFingerprint,
    'in the profile': ownFingerprint,
    'in OTHER-DEV': 'bbbbbbbbbbbb',
    'in OTHER': 'bbbbbbbbbbbb',
  }
  try {
    const choice = chooseProfile(flags, env, file)
    const { origin, ignoredEnvironmentKey } = choice
    const isFromStore = origin.from === 'profile'
    const fingerprint = isFromStore ? ownFingerprint : fingerprints[one.stored]
    const credential =
      origin.from === 'nowhere'
        ? undefined
        : {
            kind: origin.kind,
            source: origin.source,
            fingerprint: origin.kind === 'key' ? fingerprint : undefined,
          }
    const ignoredFingerprint = ignoredEnvironmentKey && fingerprints[one.stored]
    return determineSession({ choice, file, credential, ignoredFingerprint, moment })
  } catch (error) {
    if (error instanceof FacescanError) return error
    throw error
  }
}

function describeOutcome(outcome: Outcome): string {
  if (outcome instanceof FacescanError) return `exit ${outcome.exitCode}`
  return `${outcome.environment}, ${outcome.protect}`
}

/**
 * Descriptions of the rules that determine a session's protection. Below each rule are its resulting protections, one for each value in
 * `dimensions.protection`.
 */
const protectionRules: Readonly<Record<string, string>> = {
  'off,off,off,off,off': 'protection off',
  'confirm,confirm,confirm,confirm,confirm': 'protection confirm',
  'off,read-only,confirm,confirm,off': 'protection of the profile (default off)',
  'confirm,read-only,confirm,confirm,off': 'protection of the profile (default confirm)',
  'confirm,read-only,confirm,confirm,confirm': 'protection of the profile, at least confirm',
}

/** Describes the results of a case in one text. `results` contains one result for each protection of the profile. */
function describeResults(results: readonly string[]): string {
  const [first = '', ...others] = results
  if (first.startsWith('exit') && others.every((other) => other === first)) return first
  const [environment] = first.split(', ')
  const rule = protectionRules[results.map((result) => result.replace(`${environment}, `, '')).join()]
  if (rule === undefined) throw new Error(`unknown rule for ${results.join()}`)
  return `${environment}, ${rule}`
}

const titles = ['Key from', 'Profile', 'Key stored', 'FACESCAN_BASE_URL', 'Service', 'Result']

/** The table for the documentation: one row per combination. Combinations with the same result are merged. */
export function renderSessionTable(): string {
  const groups = groupBy(sessionCases, ({ protection, ...one }) => JSON.stringify(Object.values(one)))
  const all = [...groups].map(([key, cases]) => ({
    cells: JSON.parse(key) as string[],
    result: describeResults(cases.map((one) => describeOutcome(decide(one)))),
  }))
  const rows = [4, 3, 2, 1, 0].reduce(mergeColumn, all)
  return markdownTable(
    titles,
    rows.map(({ cells, result }) => [...cells, result]),
  )
}

type Row = { cells: string[]; result: string }

/** Merges rows that differ only in one column and have the same result. */
function mergeColumn(rows: readonly Row[], column: number): Row[] {
  const groups = groupBy(rows, ({ cells, result }) => JSON.stringify([cells.toSpliced(column, 1), result]))
  return [...groups.values()].map((group) => {
    const values = group.map(({ cells }) => cells[column] ?? '')
    const [{ cells, result }] = group as [Row]
    const possible = Object.values(dimensions)[column] ?? []
    const merged = values.length > 1 && values.length === possible.length ? 'any' : values.join(' or ')
    return { cells: cells.with(column, merged), result }
  })
}

/** `Map.groupBy` for Node 20. */
function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

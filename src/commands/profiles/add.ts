import { ConfigurationError, FacescanError, RefusedError } from '../../base/errors.ts'
import { askInOrder, explainKeys, review } from '../../framework/ask.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { serviceFailures } from '../../framework/list-exit-codes.ts'
import { flag, negation, optionalArgument, toggle } from '../../framework/options.ts'
import { oneOf } from '../../framework/values.ts'
import { baseUrlFlag, parseBaseUrl } from '../../http/base-url.ts'
import { findFlaggedCredential } from '../../profiles/choose-key.ts'
import { addProfile, checkNewProfile } from '../../profiles/edit-profiles.ts'
import { assertNoKey, readKeyFromCommand } from '../../profiles/key-command.ts'
import { findKeyringProblem } from '../../profiles/keyring.ts'
import type { ProfileShown } from '../../profiles/list-profiles.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import { defaultProtection, environmentOf, keepingStores, type StoreKind } from '../../profiles/profile.ts'
import { makeCredential, readGiven } from '../../profiles/read-key.ts'
import { fingerprintOf, parseSecret, type Secret } from '../../profiles/secret.ts'
import { agreeOnBaseUrl, changed, editsProfile } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  failures: serviceFailures,
  prompts: {},
  args: { name: optionalArgument('[name]', 'profile name (ends in -DEV for development)') },
  options: {
    baseUrl: flag('--base-url <url>', 'base URL of the service', baseUrlFlag),
    store: flag('--store <store>', 'key store for a production key', oneOf(keepingStores), {
      conflicts: 'keyCommand',
    }),
    keyCommand: flag('--key-command <command>', 'command that prints the key'),
    replace: toggle('--replace', 'replace the stored key'),
    verify: negation('--no-verify', 'store the key without verifying it'),
  },
  description:
    'Prompts for the key, or reads it from --key-file or --key-stdin. Sends a read-only request to verify the key before storing it.',
  examples: [
    'facescan profiles add ACME-DEV --base-url https://api.example.com',
    'pass show acme | facescan profiles add ACME --key-stdin --base-url https://api.example.com',
    'facescan profiles add ACME --key-command "op read op://vault/acme/key" --base-url https://api.example.com --replace',
  ],
  async run(ctx, { name: givenName, baseUrl: givenUrl, replace, verify, keyCommand, ...options }) {
    const wanted = keyCommand ? 'command' : (options.store ?? 'file')
    const check: Given['check'] = (name, secret) =>
      checkNewProfile(ctx, { name, secret, store: wanted, replace })
    if (givenName !== undefined) await check(givenName)
    const { name, baseUrl, secret, source } = await readConnection(ctx, {
      givenName,
      givenUrl,
      keyCommand,
      check,
    })
    const replaced = await findReplaced(ctx, name)
    if (replaced?.environment === 'production') await agreeOnBaseUrl(ctx, replaced, baseUrl)
    if (keyCommand) assertNoKey(keyCommand, secret)
    if (verify) await verifyKey(ctx, { name, baseUrl, secret, source })
    const kept = keepingStores.find((known) => known === replaced?.store)
    const store = keyCommand ? 'command' : await chooseStore(ctx, name, options.store ?? kept)
    if (/-dev$/i.test(name) && environmentOf(name) === 'production')
      ctx.warn(
        `${name} is a production profile: only names that end in -DEV (uppercase) are development profiles`,
      )
    const leftBehind = await addProfile(ctx, { name, baseUrl, secret, store, keyCommand, replace })
    if (leftBehind) ctx.warn(`could not remove the old key from the key store: ${leftBehind}`)
    const next =
      environmentOf(name) === 'development'
        ? `make ${name} the default profile: facescan profiles use ${name}`
        : `check the connection: facescan doctor --profile ${name}`
    return changed(ctx, name, {
      done: replaced ? `Replaced the key for profile ${name}` : `Added profile ${name}`,
      notes: replaced ? [] : [`next: ${next}`],
    })
  },
})

async function findReplaced(ctx: Context, name: string | undefined): Promise<ProfileShown | undefined> {
  return (await listProfiles(ctx.paths, ctx.clock.now())).find((profile) => profile.name === name)
}

/** Values from flags and prompts. A prompt asks for a missing or empty value. */
interface Connection {
  name: string
  baseUrl: string
  secret: Secret | undefined
  source: string
}

interface Given {
  givenName: string | undefined
  givenUrl: string | undefined
  keyCommand: string | undefined
  check(name: string, secret?: Secret): Promise<void>
}

async function readConnection(ctx: Context, { givenName, givenUrl, keyCommand, check }: Given) {
  const flagged = findFlaggedCredential(ctx.flags)
  const variable = ctx.env['FACESCAN_BASE_URL']
  const known = variable ? parseBaseUrl(variable, 'FACESCAN_BASE_URL') : undefined
  const connection: Connection = {
    name: givenName ?? '',
    baseUrl: givenUrl ?? known ?? (await findReplaced(ctx, givenName))?.base_url ?? '',
    secret: flagged && (await readGiven(flagged, ctx)),
    source: keyCommand ? '--key-command' : (flagged?.source ?? 'the API key'),
  }
  const asks = [
    ...(connection.name === '' ? [askName(ctx, connection, check)] : []),
    ...(connection.baseUrl === '' ? [askUrl(ctx, connection)] : []),
    ...(keyCommand || flagged ? [] : [askKey(ctx, connection)]),
  ]
  if (asks.length > 1 && ctx.ask.possible) explainKeys(ctx)
  return askInOrder(ctx, asks, async (canGoBack) => {
    const { name, baseUrl } = connection
    const { env, signal } = ctx
    const secret = keyCommand
      ? await readKeyFromCommand(keyCommand, name, env, { isStored: false, signal })
      : connection.secret
    if (secret === undefined) throw new Error('no key was entered at the prompt')
    await check(name, secret)
    const values = `${name} (${environmentOf(name)}) at ${baseUrl}, key ${fingerprintOf(secret)}`
    if (asks.length > 1) await review(ctx, { values, question: 'Add this profile?', canGoBack })
    return { ...connection, secret }
  })
}

function askName(ctx: Context, connection: Connection, check: Given['check']) {
  return async (canGoBack: boolean) => {
    const label = 'Profile name (ends in -DEV for development)'
    const options = { flags: 'the first argument', canGoBack, earlier: connection.name }
    const typed = await ctx.ask.text(label, { ...options, check: (text) => check(text.trim()) })
    connection.name = typed.trim()
    return { text: `${label} ${typed}` }
  }
}

function askUrl(ctx: Context, connection: Connection) {
  return async (canGoBack: boolean) => {
    const label = 'Base URL of the service (https://…)'
    const check = (text: string) => baseUrlFlag(text.trim())
    const options = { flags: '--base-url or FACESCAN_BASE_URL', canGoBack, earlier: connection.baseUrl }
    const typed = await ctx.ask.text(label, { ...options, check })
    connection.baseUrl = check(typed)
    return { text: `${label} ${typed}` }
  }
}

function askKey(ctx: Context, connection: Connection) {
  return async (canGoBack: boolean) => {
    const label = `API key for ${connection.name}`
    const check = (typed: string) => parseSecret(typed, connection.source)
    const options = { flags: '--key-stdin, --key-file, or --key-command', canGoBack, check }
    const typed = await ctx.ask.secret(label, options)
    connection.secret = check(typed)
    return { text: `${label} ${'•'.repeat(typed.length)}` }
  }
}

/** Verifies a key. The request only reads and needs no user (spec 4.5). Throws if the service rejects the key. */
async function verifyKey(
  ctx: Context,
  { name, baseUrl, secret, source }: Connection & { secret: Secret },
): Promise<void> {
  const environment = environmentOf(name)
  const determined = { profile: name, environment, baseUrl, protect: defaultProtection(environment) }
  const credential = makeCredential('key', secret, source)
  const api = await ctx.connect({ ...determined, credential, current: async () => determined })
  try {
    await api.questions.all()
  } catch (error) {
    if (!(error instanceof FacescanError)) throw error
    throw new FacescanError(error.code, `the key was not stored: ${error.message}`, {
      ...error.details,
      hint: 'Check the key and the base URL, or store the key unverified with --no-verify.',
    })
  }
}

/** Chooses the store of a key. On a terminal, storing a production key in a file needs confirmation. */
async function chooseStore(ctx: Context, name: string, wanted: StoreKind | undefined): Promise<StoreKind> {
  if (wanted) return wanted
  if (environmentOf(name) !== 'production') return 'file'
  const problem = await findKeyringProblem(ctx.env)
  if (!problem) return 'keyring'
  if (!ctx.ask.possible) {
    throw new ConfigurationError(problem, {
      hint: 'Use --store file to store the key in a file that only you can read, or use --key-command.',
    })
  }
  ctx.warn(problem)
  const agreed = await ctx.ask.confirm('Store the production key in a file that only you can read?')
  if (!agreed)
    throw new RefusedError('canceled; the key was not stored, and no profile was changed', {
      hint: 'To use a password manager instead, pass --key-command.',
    })
  return 'file'
}

import { ConfigurationError, FacescanError, RefusedError, UsageError } from '../../base/errors.ts'
import { askInOrder } from '../../framework/ask.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { serviceFailures } from '../../framework/exit-codes.ts'
import { argument, flag, negation, toggle } from '../../framework/options.ts'
import { oneOf } from '../../framework/values.ts'
import { baseUrlFlag, parseBaseUrl } from '../../http/base-url.ts'
import { findFlaggedCredential } from '../../profiles/choose-profile.ts'
import { makeCredential, readGiven } from '../../profiles/credential.ts'
import { addProfile, checkNewProfile } from '../../profiles/edit-profiles.ts'
import { assertNoKey, readKeyFromCommand } from '../../profiles/key-command.ts'
import { findKeyringProblem } from '../../profiles/keyring.ts'
import { listProfiles } from '../../profiles/list-profiles.ts'
import {
  defaultProtection,
  environmentOf,
  keepingStores,
  profileNamePattern,
  type StoreKind,
} from '../../profiles/profile.ts'
import { parseSecret, type Secret } from '../../profiles/secret.ts'
import { agreeOnBaseUrl, changed, editsProfile } from './edits-profile.ts'

export default defineCommand({
  ...editsProfile,
  failures: serviceFailures,
  args: { name: argument('<name>', 'profile name (ends in -DEV for development)') },
  options: {
    baseUrl: flag('--base-url <url>', 'base URL of the service', baseUrlFlag),
    store: flag(
      '--store <store>',
      'key store for a production key: system keyring or owner-only file',
      oneOf(keepingStores),
      { conflicts: 'keyCommand' },
    ),
    keyCommand: flag('--key-command <command>', 'command that prints the key'),
    replace: toggle('--replace', 'replace the stored key'),
    verify: negation('--no-verify', 'store the key without verifying it'),
  },
  description:
    'Prompts for the key, or reads it from --key-file or --key-stdin. Sends a read-only request to verify the key before storing it.',
  examples: [
    'facescan profiles add ACME-DEV --base-url https://api.example.com',
    'pass show acme | facescan profiles add ACME --key-stdin --base-url https://api.example.com',
    'facescan sandbox key | facescan profiles add LOCAL-DEV --key-stdin --base-url http://127.0.0.1:4010',
    'facescan profiles add ACME --key-command "op read op://vault/acme/key" --base-url https://api.example.com --replace',
  ],
  promptsInRun: true,
  checkAnswer: {
    name: async (ctx, name) => {
      if (!profileNamePattern.test(name))
        throw new UsageError('use up to 64 letters, digits, dots, dashes, or underscores')
      await checkNewProfile(ctx, { name, store: 'file', replace: false })
    },
  },
  async run(ctx, { name, replace, verify, keyCommand, ...options }) {
    const wanted = keyCommand ? 'command' : (options.store ?? 'file')
    await checkNewProfile(ctx, { name, store: wanted, replace })
    const replaced = (await listProfiles(ctx.paths, ctx.clock.now())).find((profile) => profile.name === name)
    const knownUrl = options.baseUrl ?? findBaseUrl(ctx, replaced?.base_url)
    const { baseUrl, secret, source } = await readConnection(ctx, name, knownUrl, keyCommand)
    if (replaced?.environment === 'production') await agreeOnBaseUrl(ctx, replaced, baseUrl)
    if (keyCommand) assertNoKey(keyCommand, secret)
    await checkNewProfile(ctx, { name, secret, store: wanted, replace })
    if (verify) await verifyKey(ctx, { name, baseUrl, secret, source })
    const store = keyCommand ? 'command' : await chooseStore(ctx, name, options.store)
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

function findBaseUrl(ctx: Context, stored: string | null | undefined): string | undefined {
  const variable = ctx.env['FACESCAN_BASE_URL']
  return variable ? parseBaseUrl(variable, 'FACESCAN_BASE_URL') : (stored ?? undefined)
}

/** Prompts for the base URL and the key, unless they are known. */
async function readConnection(
  ctx: Context,
  name: string,
  knownUrl: string | undefined,
  keyCommand: string | undefined,
): Promise<{ baseUrl: string; secret: Secret; source: string }> {
  const known = await findKey(ctx, name, keyCommand)
  let { secret, source = 'the API key' } = known ?? {}
  let baseUrl = knownUrl
  const checkUrl = (text: string) => baseUrlFlag(text.trim())
  const askUrl = async (canGoBack: boolean) => {
    const options = { flags: '--base-url or FACESCAN_BASE_URL', check: checkUrl, canGoBack, earlier: baseUrl }
    baseUrl = checkUrl(await ctx.ask.text('Base URL of the service (https://…)', options))
  }
  const checkKey = (typed: string) => parseSecret(typed, source)
  const askKey = async (canGoBack: boolean) => {
    const options = { flags: '--key-stdin, --key-file, or --key-command', check: checkKey, canGoBack }
    secret = checkKey(await ctx.ask.secret(`API key for ${name}`, options))
  }
  const asks = [...(knownUrl === undefined ? [askUrl] : []), ...(known === undefined ? [askKey] : [])]
  await askInOrder(
    ctx,
    asks.map((ask) => ({ ask })),
  )
  if (baseUrl === undefined || secret === undefined) throw new Error('a prompt has no answer')
  return { baseUrl, secret, source }
}

/** The key from a flag, or undefined. */
async function findKey(
  ctx: Context,
  name: string,
  keyCommand: string | undefined,
): Promise<{ secret: Secret; source: string } | undefined> {
  if (keyCommand !== undefined) {
    const { env, signal } = ctx
    const secret = await readKeyFromCommand(keyCommand, name, env, { isStored: false, signal })
    return { secret, source: '--key-command' }
  }
  const given = findFlaggedCredential(ctx.flags)
  return given && { secret: await readGiven(given, ctx), source: given.source }
}

/** Verifies a key with one read request that needs no user (spec 4.5). Throws if the service rejects the key. */
async function verifyKey(
  ctx: Context,
  { name, baseUrl, secret, source }: { name: string; baseUrl: string; secret: Secret; source: string },
): Promise<void> {
  const environment = environmentOf(name)
  const determined = {
    profile: name,
    environment,
    baseUrl,
    protect: defaultProtection(environment),
    unlockReason: undefined,
  }
  const credential = makeCredential('key', secret, source)
  const api = await ctx.connect({
    ...determined,
    credential,
    reference: false,
    auditCommand: undefined,
    current: async () => determined,
  })
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

/** Chooses the store of a key. A production key is stored in a file only if the person agrees. */
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
    throw new RefusedError('the key was not stored', {
      hint: 'To use a password manager instead, pass --key-command.',
    })
  return 'file'
}

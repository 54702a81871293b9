import { ConfigurationError, FacescanError, RefusedError, UsageError } from '../../base/errors.ts'
import { quoteWord } from '../../base/text.ts'
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
import { defaultProtection, environmentOf, profileNamePattern } from '../../profiles/profile.ts'
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
      oneOf(['keyring', 'file']),
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
    const baseUrl = options.baseUrl ?? (await findBaseUrl(ctx, replaced?.base_url))
    if (replaced?.environment === 'production') await agreeOnBaseUrl(ctx, replaced, baseUrl)
    const { secret, source } = await readKey(ctx, name, keyCommand)
    if (keyCommand) assertNoKey(keyCommand, secret)
    await checkNewProfile(ctx, { name, secret, store: wanted, replace })
    const store = keyCommand ? 'command' : await chooseStore(ctx, name, options.store)
    if (verify) await verifyKey(ctx, { name, baseUrl, secret, source })
    if (/-dev$/i.test(name) && environmentOf(name) === 'production')
      ctx.warn(
        `${name} is a production profile: only names that end in -DEV (uppercase) are development profiles`,
      )
    const leftBehind = await addProfile(ctx, { name, baseUrl, secret, store, keyCommand, replace })
    if (leftBehind) ctx.warn(`could not remove the old key from the key store: ${leftBehind}`)
    const notes =
      environmentOf(name) === 'development' && !replaced
        ? [`make ${name} the default profile: facescan profiles use ${name}`]
        : []
    return changed(ctx, name, {
      done: replaced ? `Replaced the key for profile ${name}` : `Added profile ${name}`,
      notes,
    })
  },
})

async function findBaseUrl(ctx: Context, stored: string | null | undefined): Promise<string> {
  const variable = ctx.env['FACESCAN_BASE_URL']
  if (variable) return parseBaseUrl(variable, 'FACESCAN_BASE_URL')
  if (stored) return stored
  const flags = '--base-url or FACESCAN_BASE_URL'
  const check = (text: string) => baseUrlFlag(text.trim())
  const baseUrl = check(await ctx.ask.text('Base URL of the service (https://…)', { flags, check }))
  ctx.line += ` --base-url ${quoteWord(baseUrl)}`
  return baseUrl
}

async function readKey(
  ctx: Context,
  name: string,
  keyCommand: string | undefined,
): Promise<{ secret: Secret; source: string }> {
  if (keyCommand !== undefined) {
    const { env, signal } = ctx
    const secret = await readKeyFromCommand(keyCommand, name, env, { isStored: false, signal })
    return { secret, source: '--key-command' }
  }
  const given = findFlaggedCredential(ctx.flags)
  if (given) return { secret: await readGiven(given, ctx), source: given.source }
  const flags = '--key-stdin, --key-file, or --key-command'
  const source = 'the API key'
  const check = (typed: string) => parseSecret(typed, source)
  const secret = check(await ctx.ask.secret(`API key for ${name}`, { flags, check }))
  ctx.note(`equivalent command: ${ctx.line}`)
  return { secret, source }
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
async function chooseStore(
  ctx: Context,
  name: string,
  wanted: 'keyring' | 'file' | undefined,
): Promise<'keyring' | 'file'> {
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

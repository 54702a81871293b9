import { ConfigurationError, FacescanError, RefusedError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { makeCredential } from '../../profiles/credential.ts'
import { findKeyringProblem } from '../../profiles/keyring.ts'
import { defaultProtection, environmentOf } from '../../profiles/profile.ts'
import type { Secret } from '../../profiles/secret.ts'

/** Verifies a key with one read request that needs no user (spec 4.5). Throws if the service rejects the key. */
export async function verifyKey(
  ctx: Context,
  { name, baseUrl, secret, source }: { name: string; baseUrl: string; secret: Secret; source: string },
): Promise<void> {
  const environment = environmentOf(name)
  const api = await ctx.connect({
    profile: name,
    environment,
    baseUrl,
    credential: makeCredential('key', secret, source),
    protect: defaultProtection(environment),
    unlockReason: undefined,
    reference: false,
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
export async function chooseStore(
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

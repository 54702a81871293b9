import { FacescanError } from '../../base/errors.ts'
import type { Context } from '../../command/context.ts'
import { makeCredential } from '../../profiles/credential.ts'
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

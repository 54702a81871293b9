import { carryOut, decide, type Person } from './guard.ts'
import { environmentOf, findProfile } from './profile.ts'
import { readProfiles } from './profile-file.ts'
import { alertProduction, type Screen, type SessionInput } from './session.ts'

/**
 * Like `guardChange`, for a change of a stored profile. `what` is a phrase such as `remove profile ACME`. A change that reduces the
 * protection needs the name of the profile as confirmation.
 */
export async function guardProfile(
  name: string,
  what: string,
  person: Person & Screen & Pick<SessionInput, 'paths'>,
  { weakens = false }: { weakens?: boolean } = {},
): Promise<void> {
  const environment = environmentOf(name)
  const yesIsEnough = environment !== 'production' && !weakens
  const question = {
    what,
    words: [name],
    typed: weakens ? name : undefined,
    yesIsEnough,
    environment,
  } as const
  const { flags, ask, paths } = person
  const beforeQuestion = async () => {
    const baseUrl = findProfile(await readProfiles(paths), name)?.baseUrl
    alertProduction({ environment, profile: name, baseUrl }, person)
  }
  await carryOut(decide(question, { ...flags, interactive: ask.possible }), { flags, ask, beforeQuestion })
}

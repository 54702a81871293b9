import type { Environment } from '../io.ts'

/** The environment for another program, without the key and the action token. */
export function childEnvironment(env: Environment): Record<string, string | undefined> {
  const { FACESCAN_API_KEY: _key, FACESCAN_ACTION_TOKEN: _token, ...rest } = env
  return rest
}

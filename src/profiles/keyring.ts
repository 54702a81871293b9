import { createRequire } from 'node:module'
import { ConfigurationError } from '../base/errors.ts'
import { orUndefined } from '../base/functions.ts'
import type { Environment } from '../base/io.ts'
import { runBounded } from './key-command.ts'
import { parseSecret, type Secret } from './secret.ts'

/** Time limit in ms for the helper process. A busy machine can take seconds to start it. */
const timeoutMs = 10_000

interface HelperAnswer {
  /** The stored key. Null if the keyring does not contain the key. */
  key: string | null
  problem?: string
}

/**
 * The keyring library blocks its thread until the system daemon responds, and a blocked thread cannot be stopped. The library therefore
 * runs in another process. If its stdin contains a text, it stores this text as the key. If its stdin contains null, it removes the key. If
 * its stdin is empty, it prints the stored key.
 */
const program = `
let text = ''
process.stdin.on('data', (chunk) => { text += chunk }).on('end', () => {
  const say = (answer) => process.stdout.write(JSON.stringify(answer))
  try {
    const { Entry } = require(process.argv[1])
    const { account, key } = JSON.parse(text)
    const entry = new Entry('facescan', account, { linux: { store: 'secret-service' } })
    if (key) entry.setPassword(key)
    if (key === null) entry.deletePassword()
    say({ key: key === undefined ? entry.getPassword() : null })
  } catch (error) {
    say({ problem: String(error?.message ?? error).split('\\n')[0] })
  }
})`

export async function readKeyFromKeyring(name: string, env: Environment): Promise<Secret | undefined> {
  const key = await ask({ account: name }, env)
  return key === null ? undefined : parseSecret(key, `the key for ${name} in the keyring`)
}

export async function writeKeyToKeyring(
  name: string,
  secret: Secret | undefined,
  env: Environment,
): Promise<void> {
  await ask({ account: name, key: secret?.reveal() ?? null }, env)
}

/** The reason why the keyring cannot be used. Undefined if the keyring can be used. */
export async function findKeyringProblem(env: Environment): Promise<string | undefined> {
  try {
    await ask({ account: 'facescan-probe' }, env)
    return undefined
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
}

async function ask(
  request: { account: string; key?: string | null },
  env: Environment,
): Promise<string | null> {
  const { stdout, stopped } = await runBounded(process.execPath, ['-e', program, '--', libraryPath()], {
    env,
    input: JSON.stringify(request),
    timeoutMs,
  })
  if (stopped === 'time') {
    throw new ConfigurationError(`the system keyring did not respond within ${timeoutMs / 1_000} seconds`, {
      hint: 'Unlock the keyring and try again, or store the key elsewhere with --store file or --key-command.',
    })
  }
  const failed: HelperAnswer = { key: null, problem: 'its helper process failed' }
  const { key, problem } = orUndefined((): HelperAnswer => JSON.parse(stdout)) ?? failed
  if (problem === undefined) return key
  const reason = problem.includes('DBUS_SESSION_BUS_ADDRESS') ? 'no D-Bus session' : problem
  throw new ConfigurationError(`the system keyring cannot be used (${reason})`, {
    hint: 'On a machine without a keyring, use --store file or --key-command.',
  })
}

function libraryPath(): string {
  try {
    return createRequire(import.meta.url).resolve('@napi-rs/keyring')
  } catch {
    throw new ConfigurationError(
      'the system keyring cannot be used (the package @napi-rs/keyring is not installed)',
      {
        hint: 'Reinstall facescan-cli with its optional dependencies, or use --store file or --key-command.',
      },
    )
  }
}

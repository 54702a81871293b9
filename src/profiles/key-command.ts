import { ConfigurationError, UsageError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'
import { keysIn, redactProgramText } from '../base/mask.ts'
import { maxOutputBytes, runBounded } from './bounded-program.ts'
import { parseSecret, type Secret } from './secret.ts'

const stopReasons = {
  time: 'did not finish in time',
  output: `printed more than ${maxOutputBytes} bytes`,
  'not started': 'could not be started, or was killed',
}

/** Throws if a command contains a key, because the profile file and the process list would then contain the key. */
export function assertNoKey(command: string, secret?: Secret, flag = '--key-command'): void {
  const isKey = (secret && command.includes(secret.reveal())) || keysIn(command).length > 0
  if (!isKey) return
  throw new UsageError(`${flag} contains the key itself; nothing was stored`, {
    hint: 'Use a command that reads the key from a password manager, or store the key with --key-stdin.',
  })
}

interface KeyCommandOptions {
  timeoutMs?: number | undefined
  isStored?: boolean
  signal?: AbortSignal | undefined
}

/** Runs a key command, such as the command line of a password manager, and returns the key that it prints. */
export async function readKeyFromCommand(
  command: string,
  name: string,
  env: Environment,
  { timeoutMs = 30_000, isStored = true, signal }: KeyCommandOptions = {},
): Promise<Secret> {
  if (!isStored) assertNoKey(command)
  const result = await runBounded(command, undefined, { env, timeoutMs, signal })
  const hint = isStored ? `${runYourself}. To change the command: ${change(name)}` : `${runYourself}.`
  const who = `the key command for ${name}`
  if (result.stopped) throw new ConfigurationError(`${who} ${stopReasons[result.stopped]}`, { hint })
  if (result.exitCode !== 0) {
    const reason = redactProgramText(result.stderr, result.stdout)
    throw new ConfigurationError(
      `${who} failed with exit code ${result.exitCode}${reason && `: ${reason}`}`,
      { hint },
    )
  }
  return parseSecret(result.stdout, `the output of the key command for ${name}`)
}

const runYourself = 'Run the command yourself to check that it prints only the key'

function change(name: string): string {
  return `facescan profiles set ${name} --key-command '…'`
}

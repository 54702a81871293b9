import { chmodSync, cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readSteps } from '../../src/commands/demo/stage.ts'
import { needs } from './needs.ts'
import { openPty, type Pty, patienceMs } from './pty.ts'

/** Tests that use `openShell` are skipped if bash is missing. */
export const bash = needs('bash')

/** One step of a simulated person: waits for a text on the screen, and then types keys or calls a function. */
export type Turn = readonly [pattern: RegExp, keys: string | (() => Promise<unknown> | undefined)]

interface ShellResult {
  exitCode: number
  /** The screen at the end, including lines that have scrolled away. */
  screen: string
}

/** Presses Enter for each step and at the end of `facescan demo`. */
export const demoTurns: readonly Turn[] = [
  ...readSteps()
    .slice(1)
    .map((_, index): Turn => [new RegExp(`step ${index + 2} of`), '\r']),
  [/Press Enter to end the tour/, '\r'],
]

/** A simulated terminal session: bash in a new home directory. The built program is on the PATH. */
export interface Shell {
  home: string
  /** The working directory, inside the home directory. */
  folder: string
  env: Readonly<Record<string, string>>
  /** Runs a command in bash. `sandbox serve` gets a free port, because several tests can run at the same time. */
  run(command: string, turns?: readonly Turn[]): Promise<ShellResult>
}

export interface ShellOptions {
  /** Directory that is copied to the home directory. */
  template?: string
  /** Additional programs on the PATH, by name. Each text is a bash script. */
  programs?: Readonly<Record<string, string>>
  env?: Readonly<Record<string, string>>
  columns?: number
}

export function openShell(options: ShellOptions = {}): Shell {
  const { template, programs = {}, columns = 100 } = options
  const home = mkdtempSync(join(tmpdir(), 'facescan-home-'))
  if (template) cpSync(template, home, { recursive: true })
  const [folder, bin] = [join(home, 'work'), join(home, 'bin')]
  for (const directory of [folder, bin]) mkdirSync(directory, { recursive: true })
  const facescan = `exec '${process.execPath}' '${resolve('bin/facescan.js')}' "$@"`
  for (const [name, script] of Object.entries({ facescan, ...programs })) {
    writeFileSync(join(bin, name), `#!${bash.path.bash}\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: home, NO_COLOR: '1', ...options.env }
  const run = async (command: string, turns: readonly Turn[] = []) => {
    const line = command.replace(/^(facescan sandbox serve)( --port \d+)?/, '$1 --port 0')
    const pty = openPty(bash.path.bash, ['-c', line], { columns, rows: 50, cwd: folder, env })
    try {
      return await talk(pty, turns)
    } finally {
      pty.close()
    }
  }
  return { home, folder, env, run }
}

async function talk(pty: Pty, turns: readonly Turn[]): Promise<ShellResult> {
  for (const [pattern, reaction] of turns) {
    await pty.waitFor(pattern)
    if (typeof reaction === 'string') pty.type(reaction)
    else await reaction()
  }
  const exitCode = await Promise.race([pty.ended, giveUp(pty)])
  return { exitCode, screen: pty.screen().join('\n') }
}

/** Throws an error with the text of the screen. Called if a command does not end, for example because it waits for input. */
async function giveUp(pty: Pty): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, patienceMs).unref())
  throw new Error(`the command did not end:\n${pty.screen().join('\n')}`)
}

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openPty, type Pty } from '../helpers/pty.ts'

export const down = '\x1b[B'

interface Terminal {
  /** Opens a terminal. The end of the test closes it. */
  open(program: string, args: readonly string[], env: Record<string, string>, columns?: number): Pty
  /** Runs the built program in a terminal. */
  facescan(line: string, env?: Record<string, string>): Pty
}

/** Functions that open terminals. Each test has its own home directory. */
export function useTerminal(): Terminal {
  let home = ''
  let pty: Pty | undefined
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'facescan-prompts-'))
  })
  afterEach(() => pty?.close())
  const open: Terminal['open'] = (program, args, env, columns) => {
    const folders = { FACESCAN_CONFIG_DIR: join(home, 'config'), FACESCAN_STATE_DIR: join(home, 'state') }
    pty = openPty(program, args, { ...(columns && { columns }), env: { HOME: home, ...folders, ...env } })
    return pty
  }
  return {
    open,
    facescan: (line, env = { NO_COLOR: '1' }) =>
      open(
        process.execPath,
        ['bin/facescan.js', ...line.split(' ')],
        { TZ: 'Europe/Amsterdam', ...env },
        100,
      ),
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { needs } from './needs.ts'

/** Debian packages: xvfb, xterm, and imagemagick (for its program `import`). */
const programs = needs('Xvfb', 'xterm', 'import')

/** The missing programs that a desktop needs. Empty if all are installed. */
export const missingXterm = programs.missing

interface Look {
  columns: number
  rows: number
  background: string
  text: string
  env: Record<string, string>
}

/** An X server without a screen device. */
export interface Desktop {
  /** Opens a terminal that runs the shell command. The window stays open after the command. */
  openTerminal(command: string, look: Look): void
  /** Saves a picture of the desktop as a PNG file. */
  photograph(file: string): void
  close(): void
}

export async function startDesktop(): Promise<Desktop> {
  const server = spawn(
    programs.path.Xvfb,
    ['-displayfd', '1', '-screen', '0', '1200x1000x24', '-nolisten', 'tcp'],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const [number] = await once(server.stdout!, 'data')
  const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', DISPLAY: `:${String(number).trim()}` }
  const terminals: ChildProcess[] = []
  return {
    openTerminal(command, { columns, rows, background, text, env: programEnv }) {
      const font = ['-fa', 'DejaVu Sans Mono', '-fs', '9']
      const size = ['-geometry', `${columns}x${rows}`]
      const args = ['-hold', ...font, ...size, '-bg', background, '-fg', text, '-e', 'sh', '-c', command]
      terminals.push(spawn(programs.path.xterm, args, { env: { ...programEnv, ...env }, stdio: 'ignore' }))
    },
    photograph(file) {
      spawnSync(programs.path.import, ['-window', 'root', file], { env })
    },
    close() {
      for (const child of [...terminals, server]) child.kill()
    },
  }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The reason why keyring tests are skipped, as a suffix for their titles. Empty if the programs are installed. */
export const missingKeyring = ['dbus-daemon', 'gnome-keyring-daemon'].every(
  (program) => spawnSync('which', [program]).status === 0,
)
  ? ''
  : ' (skipped: Debian packages gnome-keyring and dbus are not installed)'

export interface Keyring {
  /** Environment variables that select this keyring. */
  env: Record<string, string>
  stop(): void
}

/** Starts gnome-keyring, unlocked, on a private session bus. */
export async function startKeyring(): Promise<Keyring> {
  const home = mkdtempSync(join(tmpdir(), 'facescan-keyring-'))
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home }
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env: base,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: await firstLine(bus) }
  // The daemon moves to the background when it is ready, and ends with its bus.
  const daemon = spawn('gnome-keyring-daemon', ['--unlock', '--components=secrets'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  daemon.stdin?.end('password')
  await once(daemon, 'exit')
  return { env, stop: () => void bus.kill() }
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const [chunk] = stdout ? await once(stdout, 'data') : ['']
  return String(chunk).split('\n')[0] ?? ''
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from './needs.ts'

/** Debian packages: dbus and gnome-keyring. */
const programs = needs('dbus-daemon', 'gnome-keyring-daemon')

/** The missing programs that a keyring needs. Empty if all are installed. */
export const missingKeyring = programs.missing

export interface Keyring {
  /** Environment variables that select this keyring. */
  env: Record<string, string>
  stop(): void
}

/** Starts an unlocked gnome-keyring on a private session bus. */
export async function startKeyring(): Promise<Keyring> {
  const home = mkdtempSync(join(tmpdir(), 'facescan-keyring-'))
  const base = { PATH: process.env['PATH'] ?? '', HOME: home, XDG_RUNTIME_DIR: home }
  const bus = spawn(programs.path['dbus-daemon'], ['--session', '--nofork', '--print-address'], {
    env: base,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const env = { ...base, DBUS_SESSION_BUS_ADDRESS: await firstLine(bus) }
  // The daemon moves to the background when it is ready, and ends when its session bus ends.
  const daemon = spawn(programs.path['gnome-keyring-daemon'], ['--unlock', '--components=secrets'], {
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

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { childEnvironment } from '../base/children.ts'
import { ConfigurationError } from '../base/errors.ts'
import type { Environment } from '../base/io.ts'

type ProgramWords = readonly [program: string, ...args: string[]]

interface Clipboard {
  write: ProgramWords
  read: ProgramWords
}

const clipboards = {
  mac: { write: ['pbcopy'], read: ['pbpaste'] },
  windows: { write: ['clip'], read: ['powershell', '-NoProfile', '-Command', 'Get-Clipboard'] },
  wayland: { write: ['wl-copy'], read: ['wl-paste', '--no-newline'] },
  xclip: { write: ['xclip', '-selection', 'clipboard'], read: ['xclip', '-selection', 'clipboard', '-out'] },
  xsel: { write: ['xsel', '--clipboard', '--input'], read: ['xsel', '--clipboard', '--output'] },
} as const

/** The clipboard programs in the order in which they are tried. Empty if there is no desktop. */
export function findClipboards(
  env: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly Clipboard[] {
  const { mac, windows, wayland, xclip, xsel } = clipboards
  if (platform === 'darwin') return [mac]
  if (platform === 'win32') return [windows]
  return [...(env['WAYLAND_DISPLAY'] ? [wayland] : []), ...(env['DISPLAY'] ? [xclip, xsel] : [])]
}

/** Copies a secret, and removes it later if the clipboard still contains it. Uses pipes, because other users can see command lines. */
export async function copyForAWhile(text: string, env: Environment, clearAfterMs: number): Promise<void> {
  for (const clipboard of findClipboards(env)) {
    if (await writeTo(clipboard.write, text, env)) return clearLater(clipboard, text, env, clearAfterMs)
  }
  throw new ConfigurationError('no clipboard is available', {
    hint: 'Use --qr or --open, or install wl-clipboard, xclip, or xsel.',
  })
}

/** Whether the program accepted the text. Does not wait for a background process of the program, which can continue to run. */
async function writeTo([program, ...args]: ProgramWords, text: string, env: Environment): Promise<boolean> {
  const child = spawn(program, args, { env: childEnvironment(env), stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.on('error', () => undefined)
  child.stdin.end(text)
  const [exitCode] = await once(child, 'exit').catch(() => [undefined])
  return exitCode === 0
}

const clearer = `
const { spawnSync } = require('node:child_process')
const { createHash } = require('node:crypto')
let text = ''
process.stdin.on('data', (chunk) => { text += chunk }).on('end', () => {
  const { read, write, hash, clearAfterMs } = JSON.parse(text)
  setTimeout(() => {
    const now = spawnSync(read[0], read.slice(1), { timeout: 5000 }).stdout ?? ''
    const isOurs = createHash('sha256').update(String(now).trimEnd()).digest('hex') === hash
    if (isOurs) spawnSync(write[0], write.slice(1), { input: '', stdio: ['pipe', 'ignore', 'ignore'], timeout: 5000 })
  }, clearAfterMs)
})`

async function clearLater(
  clipboard: Clipboard,
  text: string,
  env: Environment,
  clearAfterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, ['-e', clearer], {
    env: childEnvironment(env),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  })
  child.on('error', () => undefined)
  const hash = createHash('sha256').update(text).digest('hex')
  child.stdin.end(JSON.stringify({ ...clipboard, hash, clearAfterMs }))
  await once(child.stdin, 'close').catch(() => undefined)
  child.unref()
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyForAWhile, findClipboards } from '../../../src/output/clipboard.ts'
import { temporaryFolder } from '../../helpers/folder.ts'
import { needs } from '../../helpers/needs.ts'

const programs = needs('Xvfb', 'xclip')

describe.skipIf(programs.missing)('a real clipboard', () => {
  let display: ChildProcess
  let env: Record<string, string>

  beforeAll(async () => {
    display = spawn(programs.path.Xvfb, ['-displayfd', '1', '-screen', '0', '64x64x8', '-nolisten', 'tcp'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [number] = await once(display.stdout!, 'data')
    env = { PATH: programs.PATH, DISPLAY: `:${String(number).trim()}` }
  })

  afterAll(() => {
    display.kill()
  })

  function read(): string {
    return spawnSync(programs.path.xclip, ['-selection', 'clipboard', '-out'], { env }).stdout.toString()
  }

  async function becomes(text: string): Promise<void> {
    while (read() !== text) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** An environment in which reading the clipboard waits until the file `allowed` exists. The first read creates the file `done`. */
  function waitToRead() {
    const folder = temporaryFolder()
    const [allowed, done] = [join(folder, 'allowed'), join(folder, 'done')]
    const xclip = `'${programs.path.xclip}' "$@"`
    const read = `until test -e '${allowed}'; do sleep 0.05; done; ${xclip}; touch '${done}'`
    const script = `#!/bin/sh\ncase "$*" in *-out*) ${read} ;; *) exec ${xclip} ;; esac\n`
    writeFileSync(join(folder, 'xclip'), script, { mode: 0o700 })
    return { allowed, done, env: { ...env, PATH: `${folder}:${programs.PATH}` } }
  }

  test('a copied secret is removed from the clipboard after the delay', async () => {
    const { allowed, env } = waitToRead()
    await copyForAWhile('https://scan.example/?t=sentinel', env, 300)
    await becomes('https://scan.example/?t=sentinel')
    writeFileSync(allowed, '')
    await becomes('')
  })

  test('if the user copied other text after the secret, this text stays in the clipboard', async () => {
    const { allowed, done, env } = waitToRead()
    await copyForAWhile('secret', env, 300)
    spawnSync(programs.path.xclip, ['-selection', 'clipboard'], {
      env,
      input: 'mine',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    writeFileSync(allowed, '')
    await expect.poll(() => existsSync(done)).toBe(true)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(read()).toBe('mine')
  })
})

test('if there is no desktop, the error of --copy suggests other ways to get the secret', async () => {
  await expect(copyForAWhile('secret', {}, 1)).rejects.toMatchObject({
    code: 'configuration',
    details: { hint: expect.stringContaining('--qr') },
  })
})

test('--copy tries the clipboard program of the current desktop first', () => {
  expect(findClipboards({}, 'darwin')[0]?.write).toEqual(['pbcopy'])
  expect(findClipboards({}, 'win32')[0]?.write).toEqual(['clip'])
  expect(
    findClipboards({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':0' }, 'linux').map(({ write }) => write[0]),
  ).toEqual(['wl-copy', 'xclip', 'xsel'])
})

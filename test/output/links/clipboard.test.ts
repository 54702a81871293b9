import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyForAWhile, findClipboards } from '../../../src/output/clipboard.ts'
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

  test('a copied secret is removed from the clipboard after the delay', async () => {
    await copyForAWhile('https://scan.example/?t=sentinel', env, 300)
    await becomes('https://scan.example/?t=sentinel')
    await becomes('')
  })

  test('text that the user copied after the secret stays in the clipboard', async () => {
    await copyForAWhile('secret', env, 300)
    spawnSync(programs.path.xclip, ['-selection', 'clipboard'], {
      env,
      input: 'mine',
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    await new Promise((resolve) => setTimeout(resolve, 900))
    expect(read()).toBe('mine')
  })
})

test('without a desktop, the error of --copy suggests other ways to get the secret', async () => {
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

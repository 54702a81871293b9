import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserCommand, openInBrowser } from '../../../src/output/browser.ts'

const url = 'https://scan.example/plug-in?action_token=sentinel'
const signal = new AbortController().signal

/** A browser that records three things: its command line, the page, and the responses to two requests for the address in the page. */
async function fakeBrowser(): Promise<{ env: Record<string, string>; seen(): Promise<unknown> }> {
  const directory = await mkdtemp(join(tmpdir(), 'facescan-browser-'))
  const [program, log] = [join(directory, 'browser'), join(directory, 'log')]
  const script = `#!${process.execPath}
    const { readFileSync, statSync } = require('node:fs')
    const file = new URL(process.argv[2])
    const page = readFileSync(file, 'utf8')
    const mode = statSync(file).mode & 0o777
    const folderMode = statSync(new URL('.', file)).mode & 0o777
    const visit = async () => {
      const { status, headers } = await fetch(/url=([^"]+)/.exec(page)[1], { redirect: 'manual' }).catch(() => ({ status: 0, headers: new Map() }))
      return { status, location: headers.get('location') ?? null }
    }
    const visits = [await visit(), await visit()]
    require('node:fs').writeFileSync(${JSON.stringify(log)}, JSON.stringify({ argv: process.argv.slice(2), env: process.env, page, mode, folderMode, visits }))`
  await writeFile(program, script.replace('const visits', '(async () => { const visits').concat('})()'))
  await chmod(program, 0o700)
  const seen = async () => {
    for (;;) {
      const text = await readFile(log, 'utf8').catch(() => '')
      if (text) return JSON.parse(text)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return { env: { PATH: process.env['PATH']!, BROWSER: program }, seen }
}

test('the browser opens the link once, through a local page that only its owner can read', async () => {
  const browser = await fakeBrowser()
  const env = {
    ...browser.env,
    FACESCAN_API_KEY: 'sentinel-key',
    FACESCAN_ACTION_TOKEN: 'sentinel-token',
    OTHER_SECRET: 'sentinel-other',
    LC_ALL: 'C',
  }
  await openInBrowser(url, { env, signal, timeoutMs: 10_000 })
  const seen = (await browser.seen()) as {
    argv: string[]
    env: object
    page: string
    mode: number
    folderMode: number
    visits: { status: number; location: string }[]
  }
  const { argv, visits, page } = seen
  expect(argv.join()).toMatch(/^file:\/\/.*\/open\.html$/)
  expect([seen.mode, seen.folderMode]).toEqual([0o600, 0o700])
  expect(page).toMatch(/url=http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}"/)
  expect(JSON.stringify([argv, page, seen.env])).not.toContain('sentinel')
  expect(existsSync(new URL(argv[0] ?? ''))).toBe(false)
  expect(visits[0]).toEqual({ status: 302, location: url })
  expect(visits[1]?.location).toBeNull()
})

test.each(['/nonexistent/browser', 'false'])(
  'the error for a browser "%s" that cannot be started suggests other ways to open the link',
  async (name) => {
    const env = { PATH: process.env['PATH']!, BROWSER: name }
    await expect(openInBrowser(url, { env, signal, timeoutMs: 10_000 })).rejects.toMatchObject({
      message: 'could not start a browser',
      details: { hint: expect.stringContaining('--qr') },
    })
  },
)

test('opening a link fails after the timeout if the browser does not load it', async () => {
  const env = { PATH: process.env['PATH']!, BROWSER: 'true' }
  const failed = openInBrowser(url, { env, signal, timeoutMs: 50 })
  await expect(failed).rejects.toThrow('the browser did not open the link in time')
})

test.each(['file:///etc/passwd', 'javascript:alert(1)'])(
  'a link that is not an HTTP link is not opened: %s',
  async (address) => {
    await expect(openInBrowser(address, { env: {}, signal, timeoutMs: 50 })).rejects.toThrow(
      'not an HTTP or HTTPS URL',
    )
  },
)

test.each([
  [{ BROWSER: 'firefox --private-window %s:lynx' }, 'linux', ['firefox', '--private-window', 'ADDRESS']],
  [{ BROWSER: 'w3m' }, 'darwin', ['w3m', 'ADDRESS']],
  [{}, 'linux', ['xdg-open', 'ADDRESS']],
  [{}, 'darwin', ['open', 'ADDRESS']],
  [{}, 'win32', ['rundll32', 'url.dll,FileProtocolHandler', 'ADDRESS']],
] as const)(
  'if the environment is %j on the platform %s, the link is opened with the command %j',
  (env, platform, command) => {
    expect(browserCommand('ADDRESS', env, platform)).toEqual(command)
  },
)

import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { browserCommand, openInBrowser } from '../../../src/output/browser.ts'

const url = 'https://scan.example/plug-in?action_token=sentinel'
const signal = new AbortController().signal

/** A browser that records its command line, and the replies to two visits of its address. */
async function fakeBrowser(): Promise<{ env: Record<string, string>; seen(): Promise<unknown> }> {
  const directory = await mkdtemp(join(tmpdir(), 'facescan-browser-'))
  const [program, log] = [join(directory, 'browser'), join(directory, 'log')]
  const script = `#!${process.execPath}
    const visit = async () => {
      const { status, headers } = await fetch(process.argv[2], { redirect: 'manual' }).catch(() => ({ status: 0, headers: new Map() }))
      return { status, location: headers.get('location') ?? null }
    }
    const visits = [await visit(), await visit()]
    require('node:fs').writeFileSync(${JSON.stringify(log)}, JSON.stringify({ argv: process.argv.slice(2), visits }))`
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

test('the browser gets the link once, and its command line does not contain the link', async () => {
  const browser = await fakeBrowser()
  await openInBrowser(url, { env: browser.env, signal, timeoutMs: 10_000 })
  const { argv, visits } = (await browser.seen()) as {
    argv: string[]
    visits: { status: number; location: string }[]
  }
  expect(argv.join()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}$/)
  expect(visits[0]).toEqual({ status: 302, location: url })
  expect(visits[1]?.location).toBeNull()
})

test.each(['/nonexistent/browser', 'false'])(
  'a browser that cannot be started (%s) is an error that suggests other ways',
  async (name) => {
    const env = { PATH: process.env['PATH']!, BROWSER: name }
    await expect(openInBrowser(url, { env, signal, timeoutMs: 10_000 })).rejects.toMatchObject({
      message: 'could not start a browser',
      details: { hint: expect.stringContaining('--qr') },
    })
  },
)

test('a browser that never opens the link is an error after the timeout', async () => {
  const env = { PATH: process.env['PATH']!, BROWSER: 'true' }
  const failed = openInBrowser(url, { env, signal, timeoutMs: 50 })
  await expect(failed).rejects.toThrow('the browser did not open the link in time')
})

test.each(['file:///etc/passwd', 'javascript:alert(1)'])('%s is refused', async (address) => {
  await expect(openInBrowser(address, { env: {}, signal, timeoutMs: 50 })).rejects.toThrow(
    'not an HTTP address',
  )
})

test.each([
  [{ BROWSER: 'firefox --private-window %s:lynx' }, 'linux', ['firefox', '--private-window', 'ADDRESS']],
  [{ BROWSER: 'w3m' }, 'darwin', ['w3m', 'ADDRESS']],
  [{}, 'linux', ['xdg-open', 'ADDRESS']],
  [{}, 'darwin', ['open', 'ADDRESS']],
  [{}, 'win32', ['rundll32', 'url.dll,FileProtocolHandler', 'ADDRESS']],
] as const)('with %j on %s the browser is %j', (env, platform, command) => {
  expect(browserCommand('ADDRESS', env, platform)).toEqual(command)
})

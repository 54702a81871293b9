import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const isDebianRoot = userInfo().uid === 0 && spawnSync('which', ['dpkg-deb']).status === 0
let home: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'facescan-binary-'))
  execFileSync(process.execPath, ['scripts/build-binary.js'], { stdio: ['ignore', 'ignore', 2] })
})

afterAll(() => rmSync(home, { recursive: true }))

/** Runs a program without Node and with an empty PATH. */
function runs(program: string, ...words: string[]) {
  return spawnSync(program, words, {
    cwd: home,
    env: { HOME: home, PATH: '/nowhere', TMPDIR: home, FACESCAN_PROFILE: 'SANDBOX-DEV' },
    encoding: 'utf8',
  })
}

describe('the single executable', () => {
  const program = resolve('build/facescan')

  test('the executable prints its version and its help', () => {
    expect(runs(program, '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' })
    expect(runs(program, 'users', 'create', '--help')).toMatchObject({ status: 0, stderr: '' })
  })

  test('the executable contains the sandbox and the demo', () => {
    const created = runs(program, 'users', 'create', '--external-user-id', '4711', '--json')
    expect(created).toMatchObject({
      status: 0,
      stderr: '{"note":{"message":"Created user 4711 in SANDBOX-DEV"}}\n',
    })
    expect(JSON.parse(created.stdout)).toHaveProperty('user_id')
    const demo = runs(program, 'demo')
    expect(demo).toMatchObject({ status: 0, stderr: '' })
    expect(demo.stdout).toContain('facescan answers import')
  })

  test.each([
    ['bash', 'facescan.bash'],
    ['zsh', '_facescan'],
    ['fish', 'facescan.fish'],
  ])('the executable prints the same completion for %s as the package contains', (shell, file) => {
    expect(runs(program, 'completion', shell).stdout).toBe(readFileSync(join('completions', file), 'utf8'))
  })
})

test.runIf(isDebianRoot)(
  'the Debian package installs a working program, and its removal leaves no files',
  () => {
    execFileSync(process.execPath, ['scripts/build-deb.js'], { stdio: ['ignore', 'ignore', 2] })
    const architecture = execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()
    execFileSync('dpkg', ['-i', `build/facescan_${version}_${architecture}.deb`], { stdio: 'ignore' })
    const installed = execFileSync('dpkg', ['-L', 'facescan'], { encoding: 'utf8' }).trim().split('\n')
    try {
      expect(runs('/usr/bin/facescan', '--version')).toMatchObject({ status: 0, stdout: `${version}\n` })
      expect(installed).toEqual(
        expect.arrayContaining(['/usr/share/man/man1/facescan.1.gz', '/usr/share/doc/facescan/copyright']),
      )
    } finally {
      execFileSync('dpkg', ['--purge', 'facescan'], { stdio: 'ignore' })
    }
    const own = installed.filter((path) => path.includes('facescan'))
    expect(own.filter((path) => existsSync(path))).toEqual([])
  },
)

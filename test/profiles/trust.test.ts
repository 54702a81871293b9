import { existsSync } from 'node:fs'
import { chmod, chown, lchown, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLog } from '../helpers/history.ts'
import { useProduction } from '../helpers/production.ts'

const production = useProduction()
const isRoot = process.getuid?.() === 0

const run = (line: string) => production.machine.facescan(line)
const inProduction = '-p ACME --confirm=ACME'

async function plantKeyCommand(owner: number): Promise<string> {
  const { home } = production.machine
  const ran = join(home, 'ran')
  const profile = { store: 'command', keyCommand: `touch ${ran}; echo key`, baseUrl: 'https://api.example' }
  const path = join(home, 'config', 'profiles.json')
  await writeFile(path, JSON.stringify({ version: 1, profiles: { PLANTED: profile } }))
  await chmod(path, 0o600)
  for (const owned of [path, join(home, 'config')]) await chown(owned, owner, owner)
  return ran
}

describe.runIf(isRoot)('commands run by root', () => {
  it.each(['profiles list', 'status -p PLANTED', 'users get 4711 -p PLANTED'])(
    'as root, "%s" refuses a configuration directory of another user and runs no key command',
    async (line) => {
      const ran = await plantKeyCommand(1_234)
      const refused = await run(line)
      expect(refused.exitCode, refused.stdout).toBe(13)
      expect(refused.stderr).toContain('is owned by another user (ID 1234), and root uses only its own files')
      expect(refused.stderr).toContain('add --trust-owner 1234')
      expect(existsSync(ran)).toBe(false)
    },
  )

  it.each(['FACESCAN_CONFIG_DIR', 'FACESCAN_STATE_DIR'])(
    'as root, a directory in %s is refused if its path contains a link of another user',
    async (variable) => {
      const { home, env } = production.machine
      const link = join(home, 'link')
      await symlink(home, link)
      const use = (path: string) =>
        production.machine.facescan(`users create linked-${variable} ${inProduction}`, {
          env: { [variable]: path },
        })
      const through = (env[variable] ?? '').replace(home, link)
      expect((await use(through)).exitCode).toBe(0)
      await lchown(link, 1_234, 1_234)
      const refused = await use(through)
      expect(refused.exitCode, refused.stdout).toBe(13)
      expect(refused.stderr).toContain(`${link} is owned by another user (ID 1234)`)
    },
  )

  it('as root, --trust-owner accepts only the configuration of the named user', async () => {
    await plantKeyCommand(1_234)
    expect((await run('profiles list --trust-owner 1234')).exitCode).toBe(0)
    expect((await run('profiles list --trust-owner 1235')).exitCode).toBe(13)
    expect((await run('profiles list')).exitCode).toBe(13)
  })

  it('with --trust-owner, root can use the settings in the profile of another user', async () => {
    const { home } = production.machine
    expect((await run('profiles set ACME --output yaml')).exitCode).toBe(0)
    for (const name of ['config', 'config/profiles.json', 'config/keys-production.json'])
      await chown(join(home, name), 1_234, 1_234)
    const read = await run('answers keys -p ACME --trust-owner 1234')
    expect(read.exitCode, read.stderr).toBe(0)
    expect(read.stdout).toMatch(/^- /)
  })

  it.each(['--key-file', 'FACESCAN_API_KEY_FILE'])(
    'as root, %s refuses a key file of another user without --trust-owner',
    async (source) => {
      const path = join(production.machine.home, 'planted-key')
      await writeFile(path, 'planted')
      await chown(path, 1_234, 1_234)
      const isFlag = source.startsWith('--')
      const env = { FACESCAN_BASE_URL: production.service.url, ...(isFlag ? {} : { [source]: path }) }
      const line = `users get 4711 ${isFlag ? `${source} ${path}` : ''}`
      const refused = await production.machine.facescan(line, { env })
      expect(refused.exitCode, refused.stderr).toBe(13)
      expect(refused.stderr).toContain(
        `${path} is owned by another user (ID 1234), and root uses only its own files`,
      )
      const trusted = await production.machine.facescan(`${line} --trust-owner 1234`, { env })
      expect(trusted.exitCode, trusted.stderr).toBe(3)
    },
  )

  it.each(['users create nobody-1', 'imports list', 'sandbox scan 4711 -p SANDBOX-DEV'])(
    'as root, "%s" refuses a state directory of another user',
    async (line) => {
      const state = join(production.machine.home, 'state')
      await mkdir(state, { recursive: true })
      await chown(state, 1_234, 1_234)
      const refused = await run(line.includes('create') ? `${line} ${inProduction}` : line)
      expect(refused.exitCode, refused.stderr + refused.stdout).toBe(13)
      expect(refused.stderr).toContain('is owned by another user (ID 1234)')
    },
  )
})

describe('files of facescan', () => {
  it('a profile file that other users can read causes a warning with the command that fixes its mode', async () => {
    const path = join(production.machine.home, 'config', 'profiles.json')
    await chmod(path, 0o644)
    const { exitCode, stderr } = await run('users get nobody -p ACME')
    expect(exitCode).toBe(4)
    expect(stderr).toContain(`warning: other users can access ${path} (mode 0644). Run: chmod 600 '${path}'`)
  })

  it('a change in production prints that FACESCAN_STATE_DIR determines where the audit log is, except with --quiet', async () => {
    const state = join(production.machine.home, 'state')
    const changed = await run(`users create moved-1 ${inProduction}`)
    expect(changed.stderr).toContain(`FACESCAN_STATE_DIR moves the audit log to ${state}`)
    expect((await run(`users create moved-2 ${inProduction} --quiet`)).stderr).toBe('')
    const log = await readFile(findLog(state), 'utf8')
    expect(log).toContain('users create')
  })
})

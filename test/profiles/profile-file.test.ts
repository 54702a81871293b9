import { chmod, lstat, mkdir, mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { findModeProblem, type Paths, resolvePaths } from '../../src/base/paths.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { keyFilePath, readKeyFromFile, readKeys, writeKeyToFile } from '../../src/profiles/key-stores.ts'
import { readProfiles } from '../../src/profiles/profile-file.ts'
import { Secret } from '../../src/profiles/secret.ts'
import { letAge } from './leftovers.ts'

let config: string
let paths: Paths

beforeEach(async () => {
  config = join(await mkdtemp(join(tmpdir(), 'facescan-profiles-')), 'config')
  paths = resolvePaths({ FACESCAN_CONFIG_DIR: config })
})

function addProfile(name: string): Promise<void> {
  return changeProfiles(paths, (file) => {
    file.profiles[name] = { store: 'file' }
  })
}

describe('the profile file', () => {
  it('only the owner can read the profile file and its directory after a profile is added', async () => {
    await addProfile('ACME-DEV')
    expect((await stat(join(config, 'profiles.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(config)).mode & 0o777).toBe(0o700)
  })

  it('a profile file that other users can read is used, and causes a warning', async () => {
    await addProfile('ACME-DEV')
    const path = join(config, 'profiles.json')
    await chmod(path, 0o644)
    expect(Object.keys((await readProfiles(paths)).profiles)).toEqual(['ACME-DEV'])
    expect(findModeProblem(path)).toEqual({
      message: `other users can access ${path} (mode 0644)`,
      hint: `Run: chmod 600 '${path}'`,
    })
    await addProfile('NEXT-DEV')
    expect(findModeProblem(path)).toBeUndefined()
  })

  it('a profile file that other users can change is refused, and the error suggests the command that fixes its mode', async () => {
    await addProfile('ACME-DEV')
    const path = join(config, 'profiles.json')
    await chmod(path, 0o664)
    await expect(readProfiles(paths)).rejects.toMatchObject({
      code: 'configuration',
      message: `other users can access ${path} (mode 0664)`,
      details: { hint: `Run: chmod 600 '${path}'` },
    })
    await chmod(path, 0o600)
    await chmod(config, 0o777)
    await expect(readProfiles(paths)).rejects.toThrow(`other users can access ${config} (mode 0777)`)
  })

  it.each([
    ['truncated', '{"version":1,"profiles":{"ACME-DEV":{"sto'],
    ['empty', ''],
    ['invalid', '{"version":1,"profiles":{"ACME-DEV":{"store":"nowhere"}}}', 'profiles.ACME-DEV.store'],
    [
      'invalid because an unlock ends after the last possible date',
      '{"version":1,"profiles":{"ACME":{"store":"file","unlock":{"until":1e308,"reason":"r"}}}}',
      'profiles.ACME.unlock.until',
    ],
    ['the text null', 'null', 'at the top'],
    ['without a version', '{"profiles":{}}', 'at version'],
    ...['', '../keys', '.hidden', 'a/b', 'a b', 'é', 'x'.repeat(65)].map((name) => [
      `for a profile named "${name}"`,
      `{"version":1,"profiles":{"${name}":{"store":"file"}}}`,
      `at profiles`,
    ]),
  ])(
    'adding a profile fails and does not change the profile file if the file is %s',
    async (_, text, where = 'not valid JSON') => {
      await mkdir(config, { mode: 0o700 })
      const path = join(config, 'profiles.json')
      await writeFile(path, text, { mode: 0o600 })
      const reading = readProfiles(paths)
      await expect(reading).rejects.toThrow(`${path} is damaged (`)
      await expect(reading).rejects.toThrow(where)
      await expect(addProfile('OTHER-DEV')).rejects.toMatchObject({ code: 'configuration' })
      expect(await readFile(path, 'utf8')).toBe(text)
    },
  )

  it('adding a profile fails if a newer version of facescan wrote the profile file', async () => {
    await mkdir(config, { mode: 0o700 })
    await writeFile(join(config, 'profiles.json'), '{"version":2,"profiles":[]}', { mode: 0o600 })
    await expect(addProfile('ACME-DEV')).rejects.toThrow('was written by a newer version')
  })

  it('unknown fields in the profile file are kept', async () => {
    await mkdir(config, { mode: 0o700 })
    const path = join(config, 'profiles.json')
    const text = '{"version":1,"note":"mine","profiles":{"A-DEV":{"store":"file","team":"blue"}}}'
    await writeFile(path, text, { mode: 0o600 })
    await addProfile('B-DEV')
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({
      note: 'mine',
      profiles: { 'A-DEV': { team: 'blue' }, 'B-DEV': { store: 'file' } },
    })
  })

  it('changing a profile file that is a symbolic link keeps the link and changes the linked file', async () => {
    await mkdir(config, { mode: 0o700 })
    const target = join(config, '..', 'dotfiles.json')
    await writeFile(target, '{"version":1,"profiles":{}}', { mode: 0o600 })
    await symlink(target, join(config, 'profiles.json'))
    await addProfile('ACME-DEV')
    expect((await lstat(join(config, 'profiles.json'))).isSymbolicLink()).toBe(true)
    expect(await readFile(target, 'utf8')).toContain('ACME-DEV')
  })

  it('the profile file is not changed if an error occurs during a change', async () => {
    await addProfile('ACME-DEV')
    const failing = changeProfiles(paths, (file) => {
      delete file.profiles['ACME-DEV']
      throw new Error('failed')
    })
    await expect(failing).rejects.toThrow('failed')
    expect((await readProfiles(paths)).profiles).toHaveProperty('ACME-DEV')
  })

  it('the profile file can be changed after the lock of an ended process expired', async () => {
    await addProfile('FIRST-DEV')
    const lock = join(config, 'profiles.lock')
    await mkdir(lock)
    await letAge(config)
    await addProfile('SECOND-DEV')
    expect(Object.keys((await readProfiles(paths)).profiles)).toEqual(['FIRST-DEV', 'SECOND-DEV'])
  })
})

describe('a key file', () => {
  it('the error for a damaged key file does not contain the text of the file', async () => {
    await mkdir(config, { mode: 0o700 })
    const path = keyFilePath(config, 'production')
    await writeFile(path, 'sentinel-key-0123456789', { mode: 0o600 })
    const error = await readKeyFromFile(path, 'ACME').catch((reason: unknown) => reason)
    expect(String(error)).toContain(`${path} is damaged (not valid JSON)`)
    expect(JSON.stringify([error, String(error), (error as Error).stack])).not.toContain('sentinel')
  })

  it('development and production keys are stored in different key files', () => {
    expect(keyFilePath(config, 'development')).not.toBe(keyFilePath(config, 'production'))
  })

  it('a key is returned unchanged, whatever characters it contains', async () => {
    const path = keyFilePath(config, 'development')
    const key = `%41!-._@"\\'$\`{}~`.padEnd(40, 'x')
    await changeProfiles(paths, () => writeKeyToFile(path, 'ACME-DEV', new Secret(key)))
    expect((await readKeyFromFile(path, 'ACME-DEV'))?.reveal()).toBe(key)
    expect(await readKeyFromFile(path, 'constructor')).toBeUndefined()
    expect(Object.keys(await readKeys(path))).toEqual(['ACME-DEV'])
  })
})

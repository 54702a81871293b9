import { chownSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { assertOwner, requireDirectory, resolvePaths } from '../../src/base/paths.ts'
import { temporaryFolder } from '../helpers/folder.ts'

const nowhere = () => undefined

describe('the directories of facescan', () => {
  it.each([
    ['linux', { HOME: '/home/ada' }, '/home/ada/.config/facescan', '/home/ada/.local/state/facescan'],
    [
      'darwin',
      { HOME: '/Users/ada' },
      '/Users/ada/Library/Application Support/facescan',
      '/Users/ada/Library/Application Support/facescan/state',
    ],
    [
      'win32',
      { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local' },
      'C:\\Users\\ada\\AppData\\Roaming\\facescan',
      'C:\\Users\\ada\\AppData\\Local\\facescan\\state',
    ],
    [
      'win32',
      { USERPROFILE: 'C:\\Users\\ada' },
      'C:\\Users\\ada\\AppData\\Roaming\\facescan',
      expect.any(String),
    ],
  ] as const)('the directories of facescan follow the conventions of %s', (platform, env, config, state) => {
    expect(resolvePaths(env, platform, nowhere)).toMatchObject({ config, state })
  })

  it('the directories of facescan follow the XDG variables if they contain absolute paths', () => {
    const env = { HOME: '/h', XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: 'relative', XDG_CACHE_HOME: '/k' }
    expect(resolvePaths(env, 'linux', nowhere)).toEqual({
      config: '/c/facescan',
      state: '/h/.local/state/facescan',
      cache: '/k/facescan',
    })
  })

  it('FACESCAN_CONFIG_DIR and FACESCAN_STATE_DIR override the XDG variables', () => {
    const env = {
      HOME: '/h',
      XDG_CONFIG_HOME: '/c',
      FACESCAN_CONFIG_DIR: '/own/config',
      FACESCAN_STATE_DIR: '/own/state',
    }
    expect(resolvePaths(env, 'linux', nowhere)).toMatchObject({ config: '/own/config', state: '/own/state' })
  })

  it('the home directory of the system user is used if HOME is not set', () => {
    expect(resolvePaths({}, 'linux').config).toBe(join(homedir(), '.config', 'facescan'))
  })

  it('if there is no home directory, the paths of facescan are undefined, and a command that needs a directory fails', () => {
    const paths = resolvePaths({}, 'linux', nowhere)
    expect(paths).toEqual({ config: undefined, state: undefined, cache: undefined })
    expect(() => requireDirectory(paths, 'state')).toThrow(
      'cannot determine the directory for state files: your account has no home directory',
    )
  })
})

describe.skipIf(process.platform === 'win32')('the owner of a file', () => {
  it('facescan accepts a missing file and a file of the user or of root, but refuses a file of another user', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    if (process.getuid?.() === 0) chownSync(file, 4_322, 4_322)
    const spy = vi.spyOn(process, 'getuid').mockReturnValue(4_321)
    try {
      assertOwner('/')
      assertOwner(`${file}.missing`)
      expect(() => assertOwner(file)).toThrow(`${file} is owned by another user`)
    } finally {
      spy.mockRestore()
    }
  })
})

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readOwnerFile, withLock, writeOwnerFile } from '../../../src/base/system/owner-file.ts'
import { findModeProblem, trustOwner } from '../../../src/base/system/ownership.ts'
import { letAge } from '../../profiles/leftovers.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'facescan-owner-'))
  path = join(directory, 'file')
})

describe('an owner-only file', () => {
  beforeEach(() => writeFile(path, 'text', { mode: 0o600 }))

  it.each([0o640, 0o620, 0o610, 0o604, 0o602, 0o601])(
    'an owner-only file is refused with mode %o',
    async (mode) => {
      await chmod(path, mode)
      await expect(readOwnerFile(path)).rejects.toMatchObject({
        code: 'configuration',
        message: `other users can access ${path} (mode 0${mode.toString(8)})`,
        details: { hint: `Run: chmod 600 '${path}'` },
      })
    },
  )

  it.each([0o720, 0o702])(
    'an owner-only file is refused in a directory with mode %o, in which others can replace it',
    async (mode) => {
      await chmod(directory, mode)
      await expect(readOwnerFile(path)).rejects.toMatchObject({
        message: `other users can access ${directory} (mode 0${mode.toString(8)})`,
        details: { hint: `Run: chmod 700 '${directory}'` },
      })
    },
  )

  it.each([0o600, 0o400, 0o700])(
    'an owner-only file is read with mode %o, even if others can list its directory',
    async (mode) => {
      await chmod(path, mode)
      await chmod(directory, 0o755)
      expect(await readOwnerFile(path)).toBe('text')
    },
  )

  it('an owner-only file is refused if it belongs to another user, also for root', async () => {
    const isAdministrator = process.getuid?.() === 0
    if (isAdministrator) await chown(path, 1_234, 1_234)
    const { uid } = await stat(path)
    const spy = vi.spyOn(process, 'getuid').mockReturnValue(4_321)
    expect(findModeProblem(path)).toEqual({
      message: `${path} is owned by another user`,
      hint: `Run: chown $(id -u) '${path}'`,
    })
    spy.mockReturnValue(0)
    expect(findModeProblem(path)).toEqual({
      message: `${path} is owned by another user (ID ${uid}), and root uses only its own files`,
      hint: `Run the command as that user. To accept the files of that user, add --trust-owner ${uid}.`,
    })
    trustOwner(uid)
    onTestFinished(() => trustOwner(undefined))
    expect(findModeProblem(path)).toBeUndefined()
    spy.mockReturnValue(uid)
    expect(findModeProblem(path)).toBeUndefined()
  })

  it('a file without secrets may be readable by others, but not writable', async () => {
    await chmod(path, 0o644)
    expect(await readOwnerFile(path, true)).toBe('text')
    await chmod(path, 0o664)
    await expect(readOwnerFile(path, true)).rejects.toThrow('other users can access')
  })

  it('an owner-only file is undefined if it does not exist, and an error if it is a directory', async () => {
    expect(await readOwnerFile(join(directory, 'missing'))).toBeUndefined()
    expect(await readOwnerFile(join(path, 'below-a-file'))).toBeUndefined()
    await mkdir(join(directory, 'folder'), { mode: 0o700 })
    await expect(readOwnerFile(join(directory, 'folder'))).rejects.toMatchObject({
      code: 'configuration',
      message: `cannot read ${join(directory, 'folder')} (illegal operation on a directory)`,
    })
  })

  it.skipIf(process.platform === 'win32')(
    'is refused if it is a named pipe, which could block forever',
    async () => {
      execFileSync('mkfifo', ['-m', '600', join(directory, 'pipe')])
      await expect(readOwnerFile(join(directory, 'pipe'))).rejects.toMatchObject({
        code: 'configuration',
        message: `cannot read ${join(directory, 'pipe')} (a named pipe)`,
      })
    },
  )

  it('an owner-only file is reported if it cannot be written', async () => {
    await expect(writeOwnerFile(join(path, 'below-a-file'), 'x')).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^cannot write .*below-a-file \([a-z ]+\)$/),
    })
  })
})

describe('work under a lock', () => {
  const lock = () => join(directory, 'work.lock')

  it('work under a lock runs one at a time and returns its result', async () => {
    const steps: string[] = []
    const work = (name: string) => async () => {
      steps.push(`${name} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      steps.push(`${name} ends`)
      return name
    }
    const done = Promise.all([withLock(directory, 'work', work('a')), withLock(directory, 'work', work('b'))])
    expect(await done).toEqual(['a', 'b'])
    expect(steps.filter((_, at) => at % 2 === 0).map((step) => step.replace('begins', 'ends'))).toEqual(
      steps.filter((_, at) => at % 2 === 1),
    )
  })

  it('failed work releases its lock, and ignores that another process took over the lock', async () => {
    const failing = withLock(directory, 'work', async () => {
      expect(existsSync(lock())).toBe(true)
      throw new Error('failed')
    })
    await expect(failing).rejects.toThrow('failed')
    expect(existsSync(lock())).toBe(false)
    expect(await withLock(directory, 'work', () => rm(lock(), { recursive: true }))).toBeUndefined()
  })

  it('work under a lock does not run, and fails at once, if the lock or its directory cannot be created', {
    timeout: 10_000,
  }, async () => {
    const work = vi.fn(async () => undefined)
    await expect(withLock(directory, 'no/place', work)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^cannot create .*no\/place\.lock \(no such file or directory\)$/),
    })
    await writeFile(path, 'text')
    await expect(withLock(join(path, 'below-a-file'), 'work', work)).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/^cannot create .*below-a-file \([a-z ]+\)$/),
    })
    expect(work).not.toHaveBeenCalled()
  })

  it('removes only the temporary files of a killed process', async () => {
    const old = 'keys.json.tmp-0123456789abcdef'
    const others = ['keys.json.tmp-0123', 'keys.json.tmp-0123456789abcdef.copy', 'keys.json']
    for (const name of [old, ...others]) await writeFile(join(directory, name), 'a key')
    await letAge(directory)
    await writeFile(join(directory, 'keys.json.tmp-fedcba9876543210'), 'a key')
    await withLock(directory, 'work', async () => undefined)
    expect((await readdir(directory)).toSorted()).toEqual(
      [...others, 'keys.json.tmp-fedcba9876543210'].toSorted(),
    )
    expect(await readFile(join(directory, 'keys.json'), 'utf8')).toBe('a key')
  })
})

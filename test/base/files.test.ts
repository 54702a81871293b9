import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { chmod, chown, lchown, mkdir, mkdtemp, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { UsageError } from '../../src/base/errors.ts'
import { cannotWrite, makeDirectory, readOwnerFile, replaceFile, writePipe } from '../../src/base/files.ts'
import { assertOwnerForRoot, findModeProblem, trustOwner } from '../../src/base/paths.ts'
import { temporaryFolder } from '../helpers/folder.ts'

test('new directories can be accessed only by the owner, and an existing directory is accepted', () => {
  const root = temporaryFolder()
  const path = join(root, 'a', 'b', 'c')
  makeDirectory(path)
  makeDirectory(path)
  for (const level of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, level)).mode & 0o777).toBe(0o700)
})

test('creating a directory fails if the path or one of its parents is a file', () => {
  const root = temporaryFolder()
  writeFileSync(join(root, 'file'), '')
  for (const path of ['file', 'file/below']) expect(() => makeDirectory(join(root, path))).toThrow('EEXIST')
})

test.runIf(process.platform === 'linux')(
  'creating a directory fails at once on a file system in which no directory can be created',
  () => {
    expect(() => makeDirectory('/proc/facescan/state')).toThrow('ENOENT')
  },
)

test.each([new TypeError('a bug'), new UsageError('already explained')])(
  'a write error is returned unchanged if it is not a system error: %s',
  (error) => {
    expect(cannotWrite('the file', error, 'Make room.')).toBe(error)
  },
)

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'facescan-owner-'))
  path = join(directory, 'file')
})

describe('a private file', () => {
  beforeEach(() => writeFile(path, 'text', { mode: 0o600 }))

  it.each(['0640', '0620', '0610', '0604', '0602', '0601'])(
    'a private file with mode %s is refused',
    async (text) => {
      const mode = Number.parseInt(text, 8)
      await chmod(path, mode)
      await expect(readOwnerFile(path)).rejects.toMatchObject({
        code: 'configuration',
        message: `other users can access ${path} (mode ${text})`,
        details: { hint: `Run: chmod 600 '${path}'` },
      })
    },
  )

  it.each(['0720', '0702'])(
    'a private file is refused if the mode of its directory is %s, because other users can then replace the file',
    async (text) => {
      await chmod(directory, Number.parseInt(text, 8))
      await expect(readOwnerFile(path)).rejects.toMatchObject({
        message: `other users can access ${directory} (mode ${text})`,
        details: { hint: `Run: chmod 700 '${directory}'` },
      })
    },
  )

  it.each(['0600', '0400', '0700'])(
    'a private file with mode %s is read, even if other users can list its directory',
    async (text) => {
      await chmod(path, Number.parseInt(text, 8))
      await chmod(directory, 0o755)
      expect(await readOwnerFile(path)).toBe('text')
    },
  )

  it('a private file that belongs to another user is refused, even if facescan runs as root', async () => {
    const isAdministrator = process.getuid?.() === 0
    if (isAdministrator) await chown(path, 1_234, 1_234)
    const { uid } = await stat(path)
    const spy = vi.spyOn(process, 'getuid').mockReturnValue(4_321)
    expect(findModeProblem(path)).toEqual({
      message: `${path} is owned by another user`,
      hint: `Run as root: chown 4321 '${path}'`,
    })
    spy.mockReturnValue(0)
    expect(findModeProblem(path)).toEqual({
      message: `${path} is owned by another user (ID ${uid}), and root uses only its own files`,
      hint: `Run the command as that user. To accept the files of that user, add --trust-owner ${uid}.`,
    })
    trustOwner(uid)
    onTestFinished(() => trustOwner(Number.NaN))
    expect(findModeProblem(path)).toBeUndefined()
    spy.mockReturnValue(uid)
    expect(findModeProblem(path)).toBeUndefined()
  })

  it('a file without secrets is refused only if other users can change it', async () => {
    await chmod(path, 0o644)
    expect(await readOwnerFile(path, true)).toBe('text')
    await chmod(path, 0o664)
    await expect(readOwnerFile(path, true)).rejects.toThrow('other users can access')
  })

  it('reading a private file returns undefined for a missing file, and fails for a directory', async () => {
    expect(await readOwnerFile(join(directory, 'missing'))).toBeUndefined()
    expect(await readOwnerFile(join(path, 'below-a-file'))).toBeUndefined()
    await mkdir(join(directory, 'folder'), { mode: 0o700 })
    await expect(readOwnerFile(join(directory, 'folder'))).rejects.toMatchObject({
      code: 'configuration',
      message: `cannot read ${join(directory, 'folder')} (illegal operation on a directory)`,
    })
  })

  it('a private file is refused if it is a link to a file that other users can replace', async () => {
    const shared = temporaryFolder()
    await rename(path, join(shared, 'file'))
    symlinkSync(join(shared, 'file'), path)
    expect(await readOwnerFile(path)).toBe('text')
    await chmod(shared, 0o777)
    await expect(readOwnerFile(path)).rejects.toThrow(`other users can access ${shared} (mode 0777)`)
  })

  it.runIf(process.getuid?.() === 0)(
    'root does not read a key file if its path contains a link of another user',
    async () => {
      const link = join(directory, 'link')
      symlinkSync(path, link)
      expect(() => assertOwnerForRoot(link)).not.toThrow()
      await lchown(link, 1_234, 1_234)
      expect(() => assertOwnerForRoot(link)).toThrow(`${link} is owned by another user (ID 1234)`)
    },
  )

  it.skipIf(process.platform === 'win32')(
    'reading an owner-only file fails if the file is a named pipe',
    async () => {
      execFileSync('mkfifo', ['-m', '600', join(directory, 'pipe')])
      await expect(readOwnerFile(join(directory, 'pipe'))).rejects.toMatchObject({
        code: 'configuration',
        message: `cannot read ${join(directory, 'pipe')} (a named pipe)`,
      })
    },
  )
})

test('replacing a file creates an owner-only file and does not follow a link at the temporary path', () => {
  const root = temporaryFolder()
  const [path, other] = [join(root, 'file'), join(root, 'other')]
  writeFileSync(path, 'old', { mode: 0o644 })
  writeFileSync(other, 'other')
  symlinkSync(other, `${path}.new`)
  replaceFile(path, 'new')
  expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['new', 'other'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(root).toSorted()).toEqual(['file', 'other'])
})

test('if a directory has the path of the temporary file, the target file is still replaced, and the directory is kept', () => {
  const path = join(temporaryFolder(), 'file')
  mkdirSync(`${path}.new`)
  replaceFile(path, 'new')
  expect(readFileSync(path, 'utf8')).toBe('new')
  expect(statSync(`${path}.new`).isDirectory()).toBe(true)
})

describe('a named pipe in --errors', () => {
  let pipe: string
  const content = Array.from({ length: 64 }, (_, index) => Buffer.alloc(64 * 1024, index))

  /** Starts a program with the pipe as its standard input. */
  function read(command: string) {
    const child = spawn('sh', ['-c', command, 'sh', pipe], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return child
  }

  beforeEach(() => {
    pipe = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
  })

  test('a named pipe in --errors receives all 4 MB, even if its reader starts after the command', async () => {
    const reader = read('sleep 0.2; cat "$1" | wc -c')
    const [written] = await Promise.all([
      once(reader.stdout, 'data'),
      writePipe(pipe, content, new AbortController().signal),
    ])
    expect(String(written).trim()).toBe(String(4 * 1024 * 1024))
  })

  test('an aborted write to a named pipe fails with the reason of the abort signal', async () => {
    read('exec sleep 60 < "$1"')
    await expect(writePipe(pipe, content, AbortSignal.timeout(500))).rejects.toThrow('timeout')
  })

  test('writing to a named pipe fails if its reader exits before the end', async () => {
    read('exec head -c 1 < "$1"')
    const written = writePipe(pipe, content, new AbortController().signal)
    await expect(written).rejects.toMatchObject({ code: 'EPIPE' })
  })
})

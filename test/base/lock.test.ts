import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { withLock } from '../../src/base/lock.ts'
import { letAge } from '../profiles/leftovers.ts'

let directory: string
let path: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'facescan-lock-'))
  path = join(directory, 'file')
})

const lock = () => join(directory, 'work.lock')

test('functions that need the same lock run one after the other and return their results', async () => {
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

test('a lock is released if the function that holds it fails, and releasing a lock that was already removed causes no error', async () => {
  const failing = withLock(directory, 'work', async () => {
    expect(existsSync(lock())).toBe(true)
    throw new Error('failed')
  })
  await expect(failing).rejects.toThrow('failed')
  expect(existsSync(lock())).toBe(false)
  expect(await withLock(directory, 'work', () => rm(lock(), { recursive: true }))).toBeUndefined()
})

test('a function does not run if its lock file cannot be created', async () => {
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

test('taking a lock removes the temporary files of a killed process and no other files', async () => {
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

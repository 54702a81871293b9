import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { FacescanError } from '../../base/errors.ts'
import type { Environment, Io, Output } from '../../base/io.ts'
import type { Paths } from '../../base/system/paths.ts'
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts'

/** The pseudonyms of this machine. */
export async function openPseudonyms(env: Environment): Promise<Pseudonyms> {
  const { resolvePaths } = await import('../../base/system/paths.ts')
  return createPseudonyms(await findSalt(resolvePaths(env)))
}

/** Streams that replace names in all text with pseudonyms. Bytes are images and stay unchanged. */
export function coverStreams(io: Io, pseudonyms: Pseudonyms): Io {
  const { stdin, stdout, stderr } = io
  return { stdin, stdout: cover(stdout, pseudonyms), stderr: cover(stderr, pseudonyms) }
}

function cover(stream: Output, pseudonyms: Pseudonyms): Output {
  return new Proxy(stream, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target)
      if (typeof member !== 'function') return member
      if (name !== 'write' && name !== 'end') return member.bind(target)
      return (chunk: unknown, ...rest: unknown[]) =>
        member.call(target, typeof chunk === 'string' ? pseudonyms.text(chunk) : chunk, ...rest)
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  })
}

/** The salt is created once and kept in the state folder. */
async function findSalt(paths: Paths): Promise<string> {
  const fresh = randomBytes(16).toString('hex')
  if (!paths.state) return fresh
  const path = join(paths.state, 'pseudonyms.salt')
  const { readOwnerFile, withLock, writeOwnerFile } = await import('../../base/system/owner-file.ts')
  const read = async () => (await readOwnerFile(path))?.trim() || undefined
  try {
    const known = await read()
    if (known) return known
    return await withLock(paths.state, 'pseudonyms', async () => {
      const meanwhile = await read()
      if (!meanwhile) await writeOwnerFile(path, `${fresh}\n`)
      return meanwhile ?? fresh
    })
  } catch (error) {
    // Without a state folder, pseudonyms are the same only within one command.
    if (error instanceof FacescanError) return fresh
    throw error
  }
}

import { randomBytes } from 'node:crypto'
import {
  constants,
  createReadStream,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { addAbortSignal, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigurationError, FacescanError, systemCode, systemReason } from './errors.ts'
import { orUndefined } from './functions.ts'
import { assertOwnDirectory, assertOwnerOnly, look } from './paths.ts'

/**
 * Creates a directory that only its owner can enter, and its missing parents. The recursive option of Node is not used: it never returns if
 * a file system such as /proc reports "no such file" for an existing parent.
 */
export function makeDirectory(path: string): void {
  if (look(path)?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) makeDirectory(parent)
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created the directory, so an existing directory is not an error.
    if (!look(path)?.isDirectory()) throw error
  }
}

/** Whether the path is a named pipe, such as `<(pass show acme)`. */
export function isPipe(path: string): boolean {
  // A missing or unreadable file causes an error later, when it is opened.
  return look(path)?.isFIFO() ?? false
}

/** Opens a pipe for reading, even if no writer has opened it yet. A blocking open would wait for a writer and ignore Ctrl-C. */
export async function openPipe(path: string): Promise<Readable> {
  const { Socket } = await import('node:net')
  return new Socket({
    fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK),
    readable: true,
    writable: false,
  })
}

/**
 * Writes to a pipe after another process has opened it for reading. Checks repeatedly for a reader, because a blocking open would ignore
 * Ctrl-C and time limits. If the signal is already aborted, checks only once.
 */
export async function writePipe(
  path: string,
  chunks: Iterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const [{ Socket }, { pipeline }] = await Promise.all([import('node:net'), import('node:stream/promises')])
  const isEnding = signal.aborted
  const fd = await openWhenRead(path, signal)
  const pipe = new Socket({ fd, readable: false, writable: true })
  await pipeline(chunks, pipe, isEnding ? {} : { signal }).catch((error) => {
    throw signal.aborted && !isEnding ? signal.reason : error
  })
}

async function openWhenRead(path: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      // ENXIO: no process has opened the pipe for reading.
      if (systemCode(error) !== 'ENXIO') throw error
      signal.throwIfAborted()
    }
    await sleep(50)
  }
}

/** Opens a file or a pipe. Reading rejects if the signal is aborted. */
export async function openInput(path: string, signal: AbortSignal): Promise<Readable> {
  return addAbortSignal(signal, isPipe(path) ? await openPipe(path) : createReadStream(path))
}

/** The text of a file or a pipe. Rejects if the signal is aborted. */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  return text(await openInput(path, signal))
}

/** Calls `create` and returns false if the path already exists. */
export function isCreated(create: () => void): boolean {
  try {
    create()
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

/** The error for a failed write. An error that is not from the system is returned unchanged. */
export function cannotWrite(what: string, cause: unknown, hint: string): unknown {
  if (cause instanceof FacescanError || systemCode(cause) === undefined) return cause
  return new ConfigurationError(`cannot write ${what} (${systemReason(cause)})`, { hint, cause })
}

/** Writes to the temporary directory. If it is missing or full, throws an error with a hint. */
export function writeTemporary<T>(write: () => T): T {
  try {
    return write()
  } catch (cause) {
    throw cannotWrite(
      `temporary files in ${tmpdir()}`,
      cause,
      'Free up disk space, or set TMPDIR to another directory. An import needs free space equal to twice the size of its input.',
    )
  }
}

/** Writes all bytes at a position of the file. After a failure, some of the bytes may have been written. */
export function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written, position + written)
}

/**
 * The text of a file that only its owner can read. Undefined if the file does not exist. Throws if other users can replace the file. Also
 * throws if they can read it, unless `isPublic` is set.
 */
export async function readOwnerFile(path: string, isPublic = false): Promise<string | undefined> {
  assertOwnerOnly(path, isPublic)
  try {
    // A named pipe is refused, because opening it blocks until another process opens it. During this time, the process would ignore Ctrl-C.
    if (isPipe(path)) throw Object.assign(new Error(), { code: 'a named pipe' })
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw inaccessible(path, 'read', error)
  }
}

export function inaccessible(
  path: string,
  action: 'read' | 'write' | 'create',
  error: unknown,
): ConfigurationError {
  return new ConfigurationError(`cannot ${action} ${path} (${systemReason(error)})`, {
    hint: 'Check the free disk space and the file permissions, or set FACESCAN_CONFIG_DIR and FACESCAN_STATE_DIR to other directories.',
  })
}

/** Removes what a killed process left at the path. Returns another path if a file of another user cannot be removed. */
export function freePath(path: string): string {
  orUndefined(() => rmSync(path, { force: true }))
  return isTaken(path) ? `${path}.${randomBytes(8).toString('hex')}` : path
}

/** Whether the path is a file or a link. A link counts even if its target is missing. */
export function isTaken(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

/**
 * Replaces a file in one step: readers see the old or the new content, even after a crash. Only the owner can read the file. A symbolic
 * link at the temporary path is removed.
 */
export function replaceFile(path: string, content: string | Uint8Array): void {
  makeDirectory(dirname(path))
  const next = freePath(`${path}.new`)
  try {
    writeFileSync(next, content, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(next, path)
  } catch (error) {
    rmSync(next, { force: true })
    throw error
  }
}

/** Creates a directory that only its owner can enter. Throws if other users can replace the directory or its parents. */
export function makeOwnerDirectory(path: string): void {
  assertOwnDirectory(path)
  try {
    makeDirectory(path)
  } catch (error) {
    throw inaccessible(path, 'create', error)
  }
  assertOwnDirectory(path)
}

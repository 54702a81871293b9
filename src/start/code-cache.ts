import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { Script } from 'node:vm'
import { makeDirectory } from '../base/system/make-directory.ts'

/** Where compiled code is kept from one run to the next. */
export interface CodeCache {
  folder: string
  /** Another word for each build of the program. */
  build: string
  /** Another word for each V8 and each set of its flags: it takes no code from any other. */
  engine: string
}

export interface Compiled {
  script: Script
  /** Keeps what is compiled by now, where the parts named were not run before it was kept the last time. */
  keep(parts: readonly string[]): void
}

interface Kept {
  parts: readonly string[]
  data: Buffer | undefined
}

const nothing: Kept = { parts: [], data: undefined }

/** Compiles a script of ASCII text with the help of what was kept of it: V8 then neither reads it nor compiles a function again. */
export function compile(path: string, cache: CodeCache | undefined): Compiled {
  const file = cache && join(cache.folder, `${cache.build}-${basename(path)}-${cache.engine}`)
  const kept = file === undefined ? nothing : readKept(file)
  const script = new Script(readFileSync(path, 'latin1'), { filename: path, cachedData: kept.data })
  const known = script.cachedDataRejected ? [] : kept.parts
  return {
    script,
    keep(parts) {
      if (!file || parts.every((part) => known.includes(part))) return
      const all = [...new Set([...known, ...parts])]
      const data = script.createCachedData()
      writeKept(file, Buffer.concat([Buffer.from(`${all.join()}\n`), data, data]))
      removeOthers(cache)
    },
  }
}

/**
 * V8 runs this unread, so it must come from nobody else and be as it was written: it is there twice, for Node compares faster than it
 * loads a checksum.
 */
function readKept(file: string): Kept {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const { uid, mode } = fstatSync(descriptor)
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return nothing
    const bytes = readFileSync(descriptor)
    const end = bytes.indexOf('\n')
    const middle = (end + 1 + bytes.length) / 2
    const data = bytes.subarray(end + 1, middle)
    if (!data.equals(bytes.subarray(middle))) return nothing
    return { parts: bytes.toString('latin1', 0, end).split(','), data }
  } catch {
    return nothing
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** A cache that cannot be written is done without. */
function writeKept(file: string, bytes: Buffer): void {
  try {
    makeDirectory(join(file, '..'))
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx', flush: true })
    renameSync(draft, file)
  } catch {}
}

function removeOthers({ folder, build }: CodeCache): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(build)) rmSync(join(folder, name))
    }
  } catch {}
}

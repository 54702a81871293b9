import { accessSync, appendFileSync, constants, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { expect } from 'vitest'
import { programPath, skippedFile } from '../environment.ts'

/** Programs that may be missing on a machine. */
export interface Needed<Name extends string> {
  /** The names of the missing programs, for `skipIf`. Empty if no program is missing. */
  readonly missing: string
  /** The path of each program. Throws if a program is missing. */
  readonly path: Readonly<Record<Name, string>>
  /** A PATH with these programs, for scripts that start them. Throws if a program is missing. */
  readonly PATH: string
}

/**
 * Finds programs that a machine can lack. This is the only way to start such a program, because the PATH of the tests contains only
 * essential programs. Use `missing` to skip tests. After the run, each test file is listed with its missing programs.
 */
export function needs<const Name extends string>(...names: readonly Name[]): Needed<Name> {
  const found = names.map((name) => [name, findProgram(name)] as const)
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name)
  if (missing.length > 0) report(missing)
  const paths = () => {
    if (missing.length > 0) throw new Error(`skip this test: ${missing.join(', ')} is not installed`)
    return Object.fromEntries(found) as Record<Name, string>
  }
  return {
    missing: missing.join(', '),
    get path() {
      return paths()
    },
    get PATH() {
      return `${linkAll(paths())}${delimiter}${process.env['PATH']}`
    },
  }
}

/**
 * Finds a program on the PATH of the machine. test/environment.ts changes PATH and saves the original PATH in a variable. Mutation tests do
 * not change PATH, so they have no such variable.
 */
function findProgram(name: string): string | undefined {
  const folders = (process.env[programPath] ?? process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function report(missing: readonly string[]): void {
  const file = process.env[skippedFile]
  const path = relative('.', expect.getState().testPath ?? '')
  if (file) appendFileSync(file, `skipped in ${path}: ${missing.join(', ')} not installed\n`)
}

let folders = 0

function linkAll(paths: Readonly<Record<string, string>>): string {
  folders += 1
  const folder = join(process.env['TMPDIR'] ?? '/tmp', `programs-${process.pid}-${folders}`)
  mkdirSync(folder)
  for (const [name, path] of Object.entries(paths)) symlinkSync(path, join(folder, name))
  return folder
}

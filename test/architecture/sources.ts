import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

interface Import {
  /** The imported file (`src/http/client.ts`), module of Node (`node:fs`), or package. */
  target: string
  /** The text in the import statement, such as `./client.ts` or `zod/mini`. */
  specifier: string
}

export interface SourceFile {
  path: string
  text: string
  imports: readonly Import[]
}

function resolveTarget(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const statement = /^(?:import|export)\s+(?:[^'"()]*?\bfrom\s+)?'([^']+)'/gm
const call = /\bimport\(\s*'([^']+)'/g

/**
 * All modules that a source file imports: with import statements, with export statements that have `from`, and with calls of `import()`.
 */
export function readSource(path: string, text: string): SourceFile {
  const specifiers = [statement, call].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, specifier = '']) => specifier),
  )
  return {
    path,
    text,
    imports: specifiers.map((specifier) => ({ specifier, target: resolveTarget(path, specifier) })),
  }
}

/** All source files in a folder and its subfolders. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => readSource(path, readFileSync(path, 'utf8')))
}

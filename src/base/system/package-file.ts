import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** The folder of this package, above both `src` and `dist`. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Reads a text file of this package. The single executable contains the file as an asset. */
export function readPackageFile(path: string): string {
  return isSea() ? getAsset(path, 'utf8') : readFileSync(join(packageRoot(), path), 'utf8')
}

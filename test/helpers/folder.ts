import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A temporary directory. Its parent is removed after the test, so files that the program writes beside the directory are removed. */
export function temporaryFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'facescan-test-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'folder')
  mkdirSync(folder)
  return folder
}

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory that is removed after the test, with the files that the program writes beside the directory. */
export function temporaryFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'facescan-test-'))
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }))
  const folder = join(parent, 'folder')
  mkdirSync(folder)
  return folder
}

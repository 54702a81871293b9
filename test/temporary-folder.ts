import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the test run its own folder for temporary files, and removes the folder after the last test. */
export function setup(): () => void {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'facescan-tests-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}

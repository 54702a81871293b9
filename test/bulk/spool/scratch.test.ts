import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { check, temporaryFolder } from '../import-input.ts'

it('reports what to do if there is no space for temporary files', async () => {
  const folder = temporaryFolder()
  const name = 'answers.csv.gz'
  vi.stubEnv('TMPDIR', join(folder, 'missing'))
  onTestFinished(() => void vi.unstubAllEnvs())
  const checking = check(gzipSync('external_user_id,lookup_key,value\n'), {}, { name, folder })
  await expect(checking).rejects.toMatchObject({
    exitCode: 13,
    message: expect.stringContaining('cannot write temporary files'),
    details: { hint: expect.stringContaining('TMPDIR') },
  })
})

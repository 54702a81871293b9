import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { expectGeneratedSections } from '../../helpers/generated.ts'
import { renderEvidence, renderOutcomes } from './row-states.ts'

test('the documentation shows how each response and each proof changes the state of a row', async () => {
  await expectGeneratedSections('src/bulk/README.md', {
    outcomes: await renderOutcomes(),
    evidence: await renderEvidence(),
  })
})

test('the documentation of the import names only files that exist', () => {
  const page = readFileSync('src/bulk/README.md', 'utf8')
  const paths = [...page.matchAll(/`([a-z][\w/-]*(?:\.ts|\/))`/g)].map(([, path = '']) => path)
  expect(paths).toContain('send/reconcile.ts')
  expect(paths.filter((path) => !existsSync(`src/bulk/${path}`) && path !== 'bulk/')).toEqual([])
})

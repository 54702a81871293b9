import { test } from 'vitest'
import { expectGeneratedSections } from '../../helpers/generated.ts'
import { renderOutcomes, renderVerdicts } from './row-states.ts'

test('the tables in the documentation show how an import reacts to every outcome and every verdict', async () => {
  await expectGeneratedSections('src/bulk/README.md', {
    outcomes: await renderOutcomes(),
    verdicts: await renderVerdicts(),
  })
})

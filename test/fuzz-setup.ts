import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fuzzRuns } from './output/fuzz-runs.ts'

const { FACESCAN_FUZZ_COUNTS } = process.env

fc.configureGlobal({ numRuns: fuzzRuns })
fc.installGlobalPlugin(() => ({
  onAllRunsComplete({ numRuns, failed }) {
    const file = relative('test', expect.getState().testPath ?? '')
    const line = JSON.stringify({ file, inputs: numRuns, failed })
    if (FACESCAN_FUZZ_COUNTS) appendFileSync(FACESCAN_FUZZ_COUNTS, `${line}\n`)
  },
}))

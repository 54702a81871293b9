import fc from 'fast-check'
import { fuzzRuns } from './output/fuzz-runs.ts'

fc.configureGlobal({ numRuns: fuzzRuns })

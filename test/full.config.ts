import { mergeConfig } from 'vitest/config'
import sampled from '../vitest.config.ts'

/** `npm run test:full`: every case of every sweep. `npm test` runs only a fixed sample. */
export default mergeConfig(sampled, { test: { env: { FACESCAN_TEST_ALL: 'true' } } })

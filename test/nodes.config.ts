import { configDefaults, mergeConfig } from 'vitest/config'
import everything from '../vitest.config.ts'
import { sweeps } from './fast.config.ts'

/** `npm run test:nodes`: all tests except the sweeps. The version of Node hardly affects the sweeps. */
export default mergeConfig(everything, { test: { exclude: [...configDefaults.exclude, ...sweeps] } })

import { configDefaults, mergeConfig } from 'vitest/config'
import everything from '../vitest.config.ts'
import { sweeps } from './fast.config.ts'

/** `npm run test:nodes`: all tests except the sweeps, whose many inputs do not depend on the version of Node. */
export default mergeConfig(everything, { test: { exclude: [...configDefaults.exclude, ...sweeps] } })

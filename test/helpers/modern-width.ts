import { createRequire } from 'node:module'
import stringWidth from 'string-width'

/**
 * Uses the string-width of the built program in cli-table3. The build replaces the old string-width inside cli-table3, which
 * measures combining marks and direction marks incorrectly.
 */
const require = createRequire(import.meta.url)
const path = createRequire(require.resolve('cli-table3')).resolve('string-width')
require(path)
const loaded = require.cache[path]
if (!loaded) throw new Error('cli-table3 does not load string-width')
loaded.exports = stringWidth

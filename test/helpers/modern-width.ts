import { createRequire } from 'node:module'
import stringWidth from 'string-width'

/**
 * Replaces the old string-width inside cli-table3, as the build does. The old version measures combining marks and direction marks wrongly.
 */
const require = createRequire(import.meta.url)
const path = createRequire(require.resolve('cli-table3')).resolve('string-width')
require(path)
const loaded = require.cache[path]
if (!loaded) throw new Error('cli-table3 does not load string-width')
loaded.exports = stringWidth

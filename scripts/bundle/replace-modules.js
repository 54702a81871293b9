// Modules of packages that the bundle excludes or replaces. Each replacement is a complete module, so no text inside a module is edited.
import { join } from 'node:path'

const unused = (what) => `module.exports = () => { throw new Error('${what} is not in the bundle') }`
/** A module whose default export loads the package at its first call, because the package loads slowly. */
const onFirstCall = (name) => `module.exports = (...values) => require('${name}').default(...values)`

/** Key: the imported name, optionally with the importing package. Value: the CommonJS text of the new module. */
const replacements = {
  // The program uses only these two parts of undici. Other parts are not bundled, such as fetch, WebSocket, the cache, and the mocks.
  undici: `exports.Pool = require('undici/lib/dispatcher/pool.js')
    exports.buildConnector = require('undici/lib/core/connect.js')`,
  // The pool of undici always loads the HTTP/2 client and node:http2. This program does not use HTTP/2.
  './client-h2.js in undici': unused('HTTP/2'),
  // undici reads only two things from node:http: this default value and a class. It uses the class only to recognize instances of the
  // class, and this program passes no such instance.
  'node:http in undici': 'exports.maxHeaderSize = 16 * 1024',
  // Bodies of requests are text, so undici needs no code for FormData and streams.
  '../web/fetch/body.js in undici': unused('fetch'),
  // In Node 20, the first response waits while the HTTP parser is optimized. This flag delays the optimization, as in later versions of
  // Node. Node does not use its code cache after a flag is set, so the flag is set just before the parser is compiled.
  '../llhttp/llhttp_simd-wasm.js in undici': `if (process.version.startsWith('v20.'))
      require('node:v8').setFlagsFromString('--wasm-tiering-budget=13000000')
    module.exports = require('undici/lib/llhttp/llhttp_simd-wasm.js')`,
  // These packages need their Unicode tables only for text outside ASCII, so the tables are loaded at the first use.
  'string-width in src': onFirstCall('string-width'),
  'wrap-ansi in src': onFirstCall('wrap-ansi'),
  // cli-table3 uses string-width 4, which counts combining marks. The current version of string-width replaces it.
  'string-width in cli-table3': onFirstCall(join(process.cwd(), 'node_modules/string-width/index.js')),
  // No prompt opens an editor.
  '@inquirer/editor in @inquirer/prompts': unused('the editor prompt'),
  // conf uses ajv only for a schema. This program passes no schema, because it validates data with zod. So the bundle omits ajv.
  'ajv/dist/2020.js in conf': unused('ajv'),
  'ajv-formats in conf': unused('ajv-formats'),
}

const prefix = '\0replaced:'
const unusedKeys = new Set(Object.keys(replacements))

/** The package that contains a file, or `src`. */
function packageOf(file = '') {
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file.replaceAll('\\', '/'))?.[1] ?? 'src'
}

export const replaceModules = {
  name: 'replace-modules',
  resolveId: {
    order: 'pre',
    handler(path, importer) {
      if (importer?.startsWith(prefix))
        return this.resolve(path, join(process.cwd(), 'package.json'), { skipSelf: true })
      const key = [path, `${path} in ${packageOf(importer)}`].find((name) => replacements[name])
      unusedKeys.delete(key)
      return key && prefix + key
    },
  },
  load(id) {
    return id.startsWith(prefix)
      ? { code: replacements[id.slice(prefix.length)], moduleType: 'js' }
      : undefined
  },
  buildEnd() {
    if (unusedKeys.size > 0) throw new Error(`replaces nothing: ${[...unusedKeys].join(', ')}`)
  },
}

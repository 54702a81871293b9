// Modules of Node that take milliseconds to load and that most commands never use. The bundle loads them at the first use of an export.
const slow = /^node:(child_process|crypto|fs\/promises|http|https|module|tls|v8|zlib)$/
const prefix = '\0lazy:'

/**
 * The bundle copies the exports that a CommonJS module lists. A proxy lists no exports, so the prototype of the copy must be the proxy,
 * which returns each export.
 */
const proxyOf = (name) => `let loaded
const lazy = new Proxy({ __esModule: false }, {
  get: (own, key) => Object.hasOwn(own, key) ? own[key] : (loaded ??= require('${name}'))[key],
  getPrototypeOf: () => lazy,
})
module.exports = lazy
`

export const lazyBuiltins = {
  name: 'lazy-builtins',
  resolveId: {
    filter: { id: slow },
    handler(path, importer, { kind }) {
      const isReal = importer?.startsWith(prefix) || kind === 'dynamic-import'
      return isReal ? { id: path, external: true } : prefix + path
    },
  },
  load(id) {
    return id.startsWith(prefix) ? { code: proxyOf(id.slice(prefix.length)), moduleType: 'js' } : undefined
  },
}

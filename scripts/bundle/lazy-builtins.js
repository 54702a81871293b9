// Modules of Node that load slowly and that most commands do not use. The bundle loads them when an export is used.
const slow = /^node:(child_process|crypto|fs\/promises|http|https|module|tls|v8|zlib)$/
const prefix = '\0lazy:'

/**
 * When the bundle imports a CommonJS module, it copies the exports that the module lists. The copy has the same prototype as the module. A
 * proxy lists no exports, so the copy is empty. The proxy returns itself as its prototype, so the proxy is also the prototype of the copy,
 * and the copy finds each export there.
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

// Parts of Node that take milliseconds to load and that most runs of most commands never use: loaded at their first use.
const slow = /\brequire\("(node:(?:child_process|crypto|fs\/promises|http|https|module|tls|v8|zlib))"\)/g

/** A namespace that esbuild makes of a module gets the functions from its prototype. */
const helper = `function loadLate(name, module) {
  const late = new Proxy({ __esModule: false }, {
    get: (own, key) => Object.hasOwn(own, key) ? own[key] : (module ??= require(name))[key],
    getPrototypeOf: () => late,
  })
  return late
}
`

/** The text of a CommonJS chunk with the slow parts put off. */
export function loadBuiltinsLate(code) {
  const late = code.replace(slow, (_, name) => `loadLate("${name}")`)
  return late === code ? code : late.replace(/^("use strict";)?/, `$1${helper}`)
}

// WebAssembly that the package ships as files beside the chunks: a binary takes less room than its text inside a script.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

const sqlite = 'node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.wasm'
const jq = 'node_modules/jq-wasm/dist/build/jq.js'
const embedded = /"data:application\/octet-stream;base64,([\w+/=]+)"/
const fallback = 'var wasmBinary = Module["wasmBinary"];'
const fromFile = `var wasmBinary = require('node:fs').readFileSync(__dirname + '/jq.wasm');`

/** The script of jq without the binary in it, and the binary. */
function splitJq() {
  const source = readFileSync(jq, 'utf8')
  const [, base64] = embedded.exec(source) ?? []
  if (!base64 || !source.includes(fallback))
    throw new Error('jq-wasm is written differently now: see scripts/wasm-files.js')
  const script = source.replace(embedded, '"jq.wasm"').replace(fallback, () => fromFile)
  return { script, binary: Buffer.from(base64, 'base64') }
}

/** The parsers of undici: one for each sort of processor. */
const parsers = ['llhttp-wasm', 'llhttp_simd-wasm']

function readParser(name) {
  const source = readFileSync(`node_modules/undici/lib/llhttp/${name}.js`, 'utf8')
  const [, base64] = /const wasmBase64 = '([\w+/=]+)'/.exec(source) ?? []
  if (!base64) throw new Error('undici is written differently now: see scripts/wasm-files.js')
  return Buffer.from(base64, 'base64')
}

export const wasmOutside = {
  name: 'wasm-outside',
  setup(build) {
    build.onLoad({ filter: /jq-wasm\/dist\/build\/jq\.js$/ }, () => ({
      contents: splitJq().script,
      loader: 'js',
    }))
    build.onLoad({ filter: /undici\/lib\/llhttp\/llhttp.*-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = require('node:fs').readFileSync(__dirname + '/${basename(path, '.js')}.wasm')`,
      loader: 'js',
    }))
  },
}

export function writeWasmFiles(folder) {
  copyFileSync(sqlite, `${folder}/node-sqlite3-wasm.wasm`)
  writeFileSync(`${folder}/jq.wasm`, splitJq().binary)
  for (const name of parsers) writeFileSync(`${folder}/${name}.wasm`, readParser(name))
}

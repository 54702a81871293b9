// Packages with less to load: what takes long and is not needed by this program, or not by every run of it, is left out or put off.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const modules = join(process.cwd(), 'node_modules')
const never = (what) => `module.exports = () => { throw new Error('${what} is left out of the bundle') }`
const assertWhenFalse = {
  "require('node:assert')": "(...given) => given[0] || require('node:assert')(...given)",
}

/** By file: what stands there instead, the only exports that are left of it, as data, or what is replaced in it. */
const changes = {
  // No command of ours is a program of its own.
  'commander/lib/command.js': { replace: { "require('node:child_process')": 'undefined' } },
  // Of the tables of the parser the client takes two.
  'undici/lib/llhttp/constants.js': { only: ['ERROR', 'TYPE'] },
  // The client speaks HTTP/1.1, and its bodies are texts.
  'undici/lib/dispatcher/client-h2.js': { contents: never('HTTP/2') },
  'undici/lib/web/fetch/body.js': { contents: never('fetch') },
  // Of Node's own client undici takes a type to compare with and the greatest size of a header.
  'undici/lib/core/util.js': {
    replace: {
      "{ IncomingMessage } = require('node:http')": 'IncomingMessage = undefined',
      ...assertWhenFalse,
    },
  },
  'undici/lib/dispatcher/client.js': {
    replace: { "require('node:http')": '{ maxHeaderSize: 16 * 1024 }', ...assertWhenFalse },
  },
  'undici/lib/dispatcher/client-h1.js': { replace: assertWhenFalse },
  'undici/lib/core/connect.js': { replace: assertWhenFalse },
  'undici/lib/core/request.js': { replace: assertWhenFalse },
}

/** Only text outside ASCII is measured by these, and their tables of Unicode take longer to make than Node takes to start. */
const madeWhenUsed = ['string-width', 'wrap-ansi']

async function change(path, { contents, only, replace }) {
  if (contents) return contents
  if (only) {
    const all = createRequire(import.meta.url)(path)
    return only.map((name) => `exports.${name} = ${JSON.stringify(all[name])}`).join('\n')
  }
  let text = await readFile(path, 'utf8')
  for (const [from, to] of Object.entries(replace)) {
    if (!text.includes(from))
      throw new Error(`${path} is written differently now: see scripts/lighter-packages.js`)
    text = text.replace(from, () => to)
  }
  return text
}

const byPath = new Map(Object.entries(changes).map(([file, each]) => [join(modules, file), each]))

export const lighterPackages = {
  name: 'lighter-packages',
  setup(build) {
    const unseen = new Set(byPath.keys())
    build.onResolve(
      { filter: new RegExp(`^(${madeWhenUsed.join('|')})$`) },
      ({ path, importer, namespace }) =>
        namespace === 'file' && !importer.includes('node_modules')
          ? { path, namespace: 'made-when-used' }
          : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'made-when-used' }, ({ path }) => ({
      contents: `module.exports = (...given) => require("${path}").default(...given)`,
      resolveDir: modules,
    }))
    build.onLoad({ filter: /node_modules/ }, async ({ path }) => {
      const known = byPath.get(path)
      if (!known) return undefined
      unseen.delete(path)
      return { contents: await change(path, known), loader: 'js' }
    })
    build.onEnd(() => {
      for (const path of unseen)
        throw new Error(`${path} is bundled no more: see scripts/lighter-packages.js`)
    })
  },
}

import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { resolvePaths } from '../base/system/paths.ts'
import { type Compiled, compile } from './code-cache.ts'

/** Written in by the build: a hash of all the program. */
declare const FACESCAN_BUILD: string

type Load = (id: string) => unknown
type Chunk = (
  load: Load,
  module: { exports: unknown },
  exports: unknown,
  require: NodeJS.Require,
  filename: string,
  dirname: string,
) => void

interface Pack extends Compiled {
  chunks: Readonly<Record<string, Chunk>>
}

/** After this time V8 may have dropped code that only the start needs. */
const keepWithinS = 10

const chunkFolder = join(__dirname, 'chunks')
/** A chunk finds what lies beside it wherever it lies itself. */
const chunkFile = join(chunkFolder, 'in-pack.cjs')
const packs = new Map<string, Pack>()
const modules = new Map<string, { exports: unknown }>()

/** Runs a chunk when it is first asked for, as Node does with a file: `request/client-ABCD` lies in the pack `request`. */
export function load(id: string): unknown {
  const known = modules.get(id)
  if (known) return known.exports
  const module = { exports: {} }
  modules.set(id, module)
  const { chunks } = openPack(id.slice(0, id.indexOf('/')))
  chunks[id]?.(load, module, module.exports, require, chunkFile, chunkFolder)
  return module.exports
}

function openPack(name: string): Pack {
  const open = packs.get(name)
  if (open) return open
  const compiled = compile(join(__dirname, `packs/${name}.js`), codeCache)
  const pack = { ...compiled, chunks: compiled.script.runInThisContext() }
  packs.set(name, pack)
  return pack
}

const folder = process.env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : resolvePaths(process.env).cache
const codeCache =
  folder === undefined
    ? undefined
    : {
        folder: join(folder, 'code'),
        build: FACESCAN_BUILD,
        engine: `${process.version}-${process.arch}`,
      }

/**
 * Node 20 would optimise undici's parser on its first reply and not end before that is done, which takes longer than all the rest of
 * a command: this is the limit of later versions.
 */
function putOffOptimising(): void {
  // Node keeps its own code for one set of flags too: what a request needs of it comes first.
  require('node:net')
  setFlagsFromString('--wasm-tiering-budget=13000000')
  if (codeCache) codeCache.engine += '-late'
}

process.on('exit', () => {
  if (process.uptime() > keepWithinS) return
  for (const [name, { keep }] of packs) keep([...modules.keys()].filter((id) => id.startsWith(`${name}/`)))
})

/** The program, as `bin/facescan.js` starts it. */
export function run(argv: readonly string[]): Promise<void> {
  const isHelp = argv.length === 0 || argv.includes('--help') || argv.includes('-h')
  const sendsNothing = isHelp || argv[0] === 'completion'
  if (!sendsNothing && process.version.startsWith('v20.')) putOffOptimising()
  const { run } = load('start/cli') as typeof import('./process.ts')
  return run(argv)
}

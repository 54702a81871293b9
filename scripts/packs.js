// Chunks that are wanted together go into one file: to find, read and check a file takes longer than to run most chunks.
import { basename, dirname, join } from 'node:path'

/** Commands that load the importer or the tour are a world of their own. */
const usualCommands = /^src\/commands\/(?!.*(import|resume|merge|demo|doctor)\.)/

/** By file, in this order: the lazily loaded modules that go into it, with all they import that no file before it holds. */
const packs = {
  start: ['src/start/process.ts'],
  help: ['src/cli/show-help.ts'],
  core: ['src/cli/report-error.ts'],
  request: [
    ...[
      'src/cli/run-command.ts',
      'src/cli/sort-words.ts',
      'src/context/open-api.ts',
      'src/context/print-result.ts',
      'src/profiles/session.ts',
    ],
    ...['src/http/proxy.ts', 'src/http/trace.ts', usualCommands],
  ],
  sandbox: ['src/sandbox/index.ts', 'src/manual/schema.ts'],
  bulk: ['src/commands/answers/import.ts', 'src/commands/imports/resume.ts', 'src/commands/imports/merge.ts'],
}

/** By path of a chunk that goes into a pack: its name there. `outputs` is what esbuild tells of all chunks. */
export function assignPacks(outputs) {
  const ids = new Map()
  const add = (path, pack) => {
    if (ids.has(path) || !outputs[path]) return
    ids.set(path, `${pack}/${basename(path, '.cjs')}`)
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') add(next, pack)
  }
  const entries = Object.entries(outputs).filter(([, { entryPoint }]) => entryPoint)
  for (const [pack, modules] of Object.entries(packs)) {
    for (const module of modules) {
      const held = entries.filter(([, { entryPoint }]) => module.test?.(entryPoint) ?? entryPoint === module)
      if (held.length === 0)
        throw new Error(`${module} is no module that is loaded lazily: see scripts/packs.js`)
      for (const [path] of held) add(path, pack)
    }
  }
  return ids
}

/** The files of the program, by path, from the CommonJS text of each chunk by path. `src/start/load-bundle.ts` runs them. */
export function packChunks(texts, outputs) {
  const ids = assignPacks(outputs)
  const files = new Map()
  const packed = Object.fromEntries(Object.keys(packs).map((pack) => [pack, []]))
  for (const [path, text] of texts) {
    const id = ids.get(path)
    const code = text.replace(/\brequire\("(\.[^"]+\.cjs)"\)/g, (_, target) => {
      const to = join(dirname(path), target)
      if (ids.has(to)) return `${id ? 'load' : 'require("../cli.cjs").load'}("${ids.get(to)}")`
      return `require("./${id ? 'chunks/' : ''}${basename(to)}")`
    })
    if (id) packed[dirname(id)].push(`"${id}"(load,module,exports,require,__filename,__dirname){${code}}`)
    else files.set(path, code)
  }
  for (const [pack, chunks] of Object.entries(packed))
    files.set(`dist/packs/${pack}.js`, `({${chunks.join(',\n')}})\n`)
  return files
}

import { once } from 'node:events'
import { readdirSync, readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runsAll } from '../helpers/sample.ts'
import { buildAltered } from './altered-program.ts'
import { prepareImport, startSlowService } from './killed-import.ts'

/** A script that records the size of the journal after each fsync. */
const recordSyncs = `
  const fs = require('node:fs')
  const promises = require('node:fs/promises')
  const { open } = promises
  promises.open = async (path, ...rest) => {
    const handle = await open(path, ...rest)
    if (!path.endsWith('journal.ndjson')) return handle
    for (const name of ['sync', 'datasync']) {
      const sync = handle[name].bind(handle)
      handle[name] = async () => {
        const { size } = fs.fstatSync(handle.fd)
        await sync()
        fs.writeFileSync(path + '.size', String(size))
        fs.renameSync(path + '.size', path + '.synced')
      }
    }
    return handle
  }
  require('node:module').syncBuiltinESMExports()`

/** Simulates a power failure: removes the bytes that were written to each journal after its last fsync. */
function cutPower(folder: string): void {
  const imports = join(folder, 'state', 'imports')
  const entries = readdirSync(imports, { withFileTypes: true })
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) {
    const journal = join(imports, name, 'journal.ndjson')
    truncateSync(journal, Number(readFileSync(`${journal}.synced`, 'utf8')))
  }
}

async function importWithPowerCuts(program?: string) {
  const pauses = [10, 40, 70]
  const service = await startSlowService({ slowestMs: 100, pauses })
  const imported = prepareImport({ service, timeoutMs: 1_000, program, preload: recordSyncs })
  for (const _ of pauses) {
    await service.killDuringPause(imported.start())
    cutPower(imported.folder)
  }
  const [code] = await once(imported.start(), 'exit')
  return { code, ...imported.compare(await service.end()) }
}

test('if a power failure truncates the journal, the resumed import loses no row and saves no row twice', async () => {
  expect(await importWithPowerCuts()).toEqual({ code: 0, lost: 0, repeated: 0, disordered: 0 })
})

test.runIf(runsAll)(
  'if the journal is not synced to disk before each request, an import refuses to resume after a power failure',
  async () => {
    const file = readFileSync('src/bulk/journal/file.ts', 'utf8')
    const unsynced = file.replace('sync: () => handle.datasync()', 'sync: async () => {}')
    expect(unsynced).not.toBe(file)
    const program = await buildAltered({ 'journal/file.ts': unsynced })
    const service = await startSlowService({ slowestMs: 100, pauses: [10] })
    const imported = prepareImport({ service, timeoutMs: 1_000, program, preload: recordSyncs })
    await service.killDuringPause(imported.start())
    cutPower(imported.folder)
    const [code] = await once(imported.start(), 'exit')
    expect({ code, repeated: imported.compare(await service.end()).repeated }).toEqual({
      code: 13,
      repeated: 0,
    })
  },
)

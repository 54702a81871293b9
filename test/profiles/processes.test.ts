import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listChanges, readLog } from '../../src/audit/changes.ts'
import { AuditLog } from '../../src/audit/log.ts'
import { type Paths, resolvePaths } from '../../src/base/paths.ts'
import { changeProfiles } from '../../src/profiles/change-profiles.ts'
import { keyFilePath, readKeyFromFile } from '../../src/profiles/key-stores.ts'
import { readProfiles } from '../../src/profiles/profile-file.ts'
import { intentOf } from '../audit/entries.ts'
import { bundleProgram } from '../helpers/bundle.ts'
import { realClock } from '../helpers/clock.ts'
import { letAge } from './leftovers.ts'

const entry = intentOf()

let directory: string
let paths: Paths

beforeEach(async () => {
  directory = join(await mkdtemp(join(tmpdir(), 'facescan-processes-')), 'files')
  paths = resolvePaths({ FACESCAN_CONFIG_DIR: directory, FACESCAN_STATE_DIR: directory })
})

describe('processes that write profiles at the same time', () => {
  let program: string

  beforeAll(async () => {
    program = await bundleProgram(`
      import { keyFilePath, writeKeyToFile } from './src/profiles/key-stores.ts'
      import { resolvePaths } from './src/base/paths.ts'
      import { changeProfiles } from './src/profiles/change-profiles.ts'
      import { Secret } from './src/profiles/secret.ts'
      const [config, prefix, count] = process.argv.slice(2)
      const paths = resolvePaths({ FACESCAN_CONFIG_DIR: config })
      for (let index = 0; index < Number(count); index++) {
        const name = prefix + index + '-DEV'
        await changeProfiles(paths, async (file) => {
          await writeKeyToFile(keyFilePath(config, 'development'), name, new Secret('key-' + name))
          file.profiles[name] = { store: 'file' }
        })
        process.stdout.write(name + '\\n')
      }
    `)
  })

  function startWriter(prefix: string, count: number) {
    const child = spawn(process.execPath, [program, directory, prefix, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const written: string[] = []
    child.stdout.setEncoding('utf8').on('data', (text: string) => written.push(...text.trim().split('\n')))
    return { child, written, ended: once(child, 'close') }
  }

  it('if several processes add profiles at the same time, all profiles are stored', async () => {
    const writers = ['A', 'B', 'C'].map((prefix) => startWriter(prefix, 8))
    await Promise.all(writers.map(({ ended }) => ended))
    const written = writers.flatMap((writer) => writer.written)
    expect(written).toHaveLength(24)
    expect(Object.keys((await readProfiles(paths)).profiles).toSorted()).toEqual(written.toSorted())
  })

  it('if a process that adds profiles is killed, no added profile is lost and no temporary file remains', async () => {
    const confirmed: string[] = []
    for (let round = 0; round < 5; round++) {
      const writer = startWriter(`R${round}N`, 1_000)
      while (writer.written.length < 3 + round) await once(writer.child.stdout, 'data')
      await sleep(round * 2)
      writer.child.kill('SIGKILL')
      await writer.ended
      confirmed.push(...writer.written)
      await letAge(directory)
    }
    await changeProfiles(paths, (file) => {
      file.profiles['LAST-DEV'] = { store: 'file' }
    })
    const { profiles } = await readProfiles(paths)
    expect(Object.keys(profiles)).toEqual(expect.arrayContaining([...confirmed, 'LAST-DEV']))
    for (const name of confirmed) {
      expect((await readKeyFromFile(keyFilePath(directory, 'development'), name))?.reveal()).toBe(
        `key-${name}`,
      )
    }
    expect((await readdir(directory)).filter((name) => name.includes('.tmp-'))).toEqual([])
  })
})

describe('processes that log at the same time', () => {
  let program: string

  beforeAll(async () => {
    program = await bundleProgram(`
      import { AuditLog } from './src/audit/log.ts'
      import { resolvePaths } from './src/base/paths.ts'
      const [state, name, count] = process.argv.slice(2)
      const paths = resolvePaths({ FACESCAN_STATE_DIR: state })
      const log = new AuditLog({ paths, env: {}, clock: { now: Date.now }, auditCommands: [], facts: {} })
      for (let index = 0; index < Number(count); index++) {
        await log.begin({ ...${JSON.stringify(entry)}, command: name + index })
        process.stdout.write(name + index + '\\n')
      }
    `)
  })

  function start(name: string, count: number) {
    const child = spawn(process.execPath, [program, directory, name, String(count)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
    return { child, ended: once(child, 'close'), logged: () => text.split('\n').slice(0, -1) }
  }

  async function readCommands(): Promise<string[]> {
    return (await listChanges(paths, {}, Number.POSITIVE_INFINITY)).map(({ command }) => command)
  }

  it('if several processes write log entries at the same time, all entries are stored', async () => {
    const writers = ['a', 'b', 'c'].map((name) => start(name, 100))
    await Promise.all(writers.map(({ ended }) => ended))
    const { changes, damaged } = await readLog(paths)
    expect([changes.length, damaged]).toEqual([300, 0])
  })

  it('if a process that writes log entries is killed, no completely written entry is lost', async () => {
    const logged: string[] = []
    for (let round = 0; round < 4; round++) {
      const writer = start(`r${round}n`, 10_000)
      while (writer.logged().length < 3) await once(writer.child.stdout, 'data')
      await sleep(round * 3)
      writer.child.kill('SIGKILL')
      await writer.ended
      logged.push(...writer.logged())
      await letAge(directory)
    }
    const log = new AuditLog({ paths, env: {}, clock: realClock, auditCommands: [], facts: {} })
    await log.begin({ ...entry, command: 'last' })
    expect(await readCommands()).toEqual(expect.arrayContaining([...logged, 'last']))
  })
})

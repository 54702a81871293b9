import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { startProgram } from '../helpers/program.ts'

const users = 60
const rowsPerUser = 4

export interface SlowService {
  url: string
  /** Resolves when this many POST requests have arrived in total. */
  posts(count: number): Promise<void>
  /** Makes the service hold the next answer until the next run. Resolves when the service holds an answer. */
  hold(): Promise<void>
  /** Ends the service and returns the values that it saved, by user. */
  end(): Promise<Map<string, number[]>>
}

/** Starts a service that saves every answer up to `slowestMs` after it was sent, or a held answer up to `longestHeldMs` later. */
export async function startSlowService(slowestMs: number, longestHeldMs = 0): Promise<SlowService> {
  const path = join(import.meta.dirname, 'slow-service.js')
  const child = spawn(process.execPath, [path, String(slowestMs), String(longestHeldMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  const [port] = await once(lines, 'line')
  const counts = { POST: 0, HELD: 0 }
  let last = ''
  lines.on('line', (line) => {
    if (line === 'POST' || line === 'HELD') counts[line]++
    last = line
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async posts(count) {
      while (counts.POST < count) await once(lines, 'line')
    },
    async hold() {
      const { HELD } = counts
      child.kill('SIGUSR2')
      while (counts.HELD === HELD) await once(lines, 'line')
    },
    async end() {
      child.kill('SIGTERM')
      await once(lines, 'close')
      const saved = JSON.parse(last) as [string, { answer: number }[]][]
      return new Map(saved.map(([user, items]) => [user, items.map(({ answer }) => answer)]))
    },
  }
}

export interface KilledImport {
  folder: string
  start(): ChildProcess
  /** Compares the saved answers with the file. */
  compare(saved: Map<string, number[]>): { lost: number; repeated: number; disordered: number }
}

interface ImportOptions {
  service: Pick<SlowService, 'url'>
  timeoutMs: number
  /** Path of the program (default: the built program). */
  program?: string | undefined
  /** A script that Node loads before the program. */
  preload?: string
}

/** Prepares an import of 240 rows. All values are different. */
export function prepareImport({ service, timeoutMs, program, preload }: ImportOptions): KilledImport {
  const folder = temporaryFolder()
  const file = join(folder, 'answers.csv')
  const rows = Array.from({ length: users * rowsPerUser }, (_, n) => `user-${n % users},height,${n},UTC`)
  writeFileSync(file, `external_user_id,lookup_key,value,timezone\n${rows.join('\n')}\n`)
  if (preload) writeFileSync(join(folder, 'preload.cjs'), preload)
  const words = ['answers', 'import', file, '--batch-size', '2', '--max-concurrency', '8']
  const flags = ['--timeout', `${timeoutMs}ms`, '--confirm', 'development']
  const expected = Array.from({ length: users }, (_, n) =>
    Array.from({ length: rowsPerUser }, (_, row) => n + row * users),
  )
  return {
    folder,
    start: () =>
      startProgram([...words, ...flags], {
        folder,
        url: service.url,
        program,
        env: preload === undefined ? undefined : { NODE_OPTIONS: `--require ${join(folder, 'preload.cjs')}` },
      }),
    compare(saved) {
      const result = { lost: 0, repeated: 0, disordered: 0 }
      for (const [n, values] of expected.entries()) {
        const own = saved.get(`user-${n}`) ?? []
        const different = [...new Set(own)]
        result.lost += values.filter((value) => !own.includes(value)).length
        result.repeated += own.length - different.length
        if (String(different.toSorted((a, b) => a - b)) !== String(different)) result.disordered++
      }
      return result
    },
  }
}

export async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

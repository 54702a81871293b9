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
  /** Kills an import during the next pause of the service. Then ends the pause. */
  killDuringPause(child: ChildProcess): Promise<void>
  /** Ends the service. Returns the saved values of each user. */
  end(): Promise<Map<string, number[]>>
}

interface Slowness {
  /** Maximum delay in ms until the service saves an answer. */
  slowestMs: number
  /** The service pauses at the POST requests with these numbers. It then does not respond to any POST request, so no import can end. */
  pauses: readonly number[]
  /** While the service is paused, it delays the answers that it receives. This is the longest delay in ms (default 0). */
  longestHeldMs?: number
}

export async function startSlowService(slowness: Slowness): Promise<SlowService> {
  const { slowestMs, pauses, longestHeldMs = 0 } = slowness
  const path = join(import.meta.dirname, 'slow-service.js')
  const child = spawn(process.execPath, [path, ...[slowestMs, longestHeldMs, ...pauses].map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)
  const [port] = await once(lines, 'line')
  let last = ''
  lines.on('line', (line) => {
    last = line
  })
  const until = async (text: string) => {
    while (last !== text) await once(lines, 'line')
  }
  return {
    url: `http://127.0.0.1:${port}`,
    async killDuringPause(running) {
      await until('PAUSED')
      const ended = once(running, 'exit')
      running.kill('SIGKILL')
      await ended
      child.kill('SIGUSR2')
      await until('RESUMED')
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

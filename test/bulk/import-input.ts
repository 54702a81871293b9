import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { onTestFinished } from 'vitest'
import { type CheckedInput, type CheckOptions, checkFile } from '../../src/bulk/check.ts'
import { type OpenOptions, openInput } from '../../src/bulk/open-input.ts'
import { ResultFolder, stemOf } from '../../src/bulk/results/result-folder.ts'
import type { Answer, Batch, ImportSettings } from '../../src/bulk/types.ts'
import { temporaryFolder } from '../helpers/folder.ts'

export const knownKeys = ['height', 'weight', 'smoking', 'average_sleep_hours']

/** The result directory for an input file. The notes about result files are in its hidden directory .notes. */
export function resultsOf(directory: string, owner = ''): ResultFolder {
  return new ResultFolder({
    directory,
    owner,
    stem: stemOf(owner) || 'answers',
    notes: join(directory, '.notes'),
  })
}

export interface Checked extends CheckedInput {
  folder: string
  results: ResultFolder
  /** All answers, in the order of their batches. */
  answers(): Promise<Answer[]>
  allBatches(): Promise<Batch[]>
  /** The text of answers.rejects.csv, or undefined if there is no such file. */
  rejectsText(): Promise<string | undefined>
}

/** Writes the content to a file and checks the file. If the name is `-`, passes the content on standard input instead. */
export async function check(
  content: string | Buffer,
  settings: Partial<ImportSettings> = {},
  options: CheckOptions & { name?: string; folder?: string } & OpenOptions = {},
): Promise<Checked> {
  const folder = options.folder ?? temporaryFolder()
  const name = options.name ?? 'answers.csv'
  const path = name === '-' ? name : join(folder, name)
  if (name !== '-') writeFileSync(path, content)
  const input = await openInput(path, Readable.from([Buffer.from(content)]), options)
  const complete = { batchSize: 100, timezone: 'Europe/Amsterdam', ...settings }
  const results = resultsOf(folder, path)
  const checked = await checkFile(input, complete, { knownKeys, ...options })
  onTestFinished(async () => {
    await checked.close()
    input.close()
  })
  const allBatches = async () => {
    const batches: Batch[] = []
    for await (const batch of checked.batches()) batches.push(batch)
    return batches
  }
  return {
    ...checked,
    folder,
    results,
    allBatches,
    answers: async () => (await allBatches()).flatMap((batch) => batch.rows),
    async rejectsText() {
      const { rejects } = checked
      if (rejects.path === undefined) rejects.saveIn(results)
      return rejects.path === undefined ? undefined : readFileSync(rejects.path, 'utf8')
    },
  }
}

/** Each answer as one line: user ID, lookup key, value, and time zone. */
export function brief(answers: readonly Answer[]): string[] {
  return answers.map(
    ({ user, lookup_key, value, timezone }) => `${user.id} ${lookup_key} ${value} ${timezone}`,
  )
}

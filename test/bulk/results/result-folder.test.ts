import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ResultFolder, stemOf } from '../../../src/bulk/results/result-folder.ts'
import { StagedFile } from '../../../src/bulk/results/staged-file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

const rejects = { name: 'rejects', format: 'csv' } as const
const unknown = { name: 'unknown', format: 'csv' } as const
const summary = { name: 'summary', format: 'json' } as const

function fileOf(text: string): StagedFile {
  const file = new StagedFile()
  file.add(text)
  return file
}

function openFolder(directory: string, owner = 'answers.csv'): ResultFolder {
  return new ResultFolder({ directory, owner, notes: join(directory, '.notes') })
}

const filesIn = (directory: string) =>
  readdirSync(directory)
    .filter((name) => !name.startsWith('.'))
    .toSorted()

/**
 * A result file that cannot be saved, because the write fails at `moment`. The temporary file remains, as it does after the process is
 * killed.
 */
class KilledFile extends StagedFile {
  readonly #moment: string

  constructor(moment: string) {
    super()
    this.add('a row')
    this.#moment = moment
  }

  override saveAs(...[path, announce]: Parameters<StagedFile['saveAs']>): void {
    const temporaryPath = `${path}.partial`
    if (this.#moment === 'after the name was reserved') throw new Error('killed')
    writeFileSync(temporaryPath, this.#moment === 'while the rows were written' ? 'a r' : 'a row')
    if (this.#moment === 'while the rows were written') throw new Error('killed')
    if (this.#moment === 'before the file was renamed') {
      const { size, mtimeMs } = lstatSync(temporaryPath)
      announce?.({ bytes: size, modifiedMs: mtimeMs })
      throw new Error('killed')
    }
    super.saveAs(path, announce)
  }
}

test.each([
  'after the name was reserved',
  'while the rows were written',
  'before the file was renamed',
  'after the file was renamed',
])(
  'after a resumed import, the directory contains only result files of this run if the previous run was killed %s',
  (moment) => {
    for (const isRejected of [true, false]) {
      const directory = temporaryFolder()
      try {
        openFolder(directory).save(new KilledFile(moment), rejects)
      } catch {}
      const next = openFolder(directory)
      if (isRejected) next.save(fileOf('its row'), rejects)
      next.save(fileOf('{}'), summary)
      next.finish(true)
      const path = join(directory, 'answers.rejects.csv')
      expect(existsSync(path) && readFileSync(path, 'utf8')).toBe(isRejected && 'its row')
      expect(filesIn(directory).filter((name) => join(directory, name) !== path)).toEqual([
        'answers.summary.json',
      ])
    }
  },
)

test('all result files of an import have the same number in their names', () => {
  const directory = temporaryFolder()
  writeFileSync(join(directory, 'answers.unknown.csv'), 'of another import')
  writeFileSync(join(directory, 'answers.summary-2.json'), 'of another import')
  const folder = openFolder(directory)
  folder.save(fileOf('a row'), rejects)
  folder.save(fileOf('a row'), unknown)
  folder.save(fileOf('{}'), summary)
  expect(filesIn(directory)).toEqual([
    'answers.rejects-3.csv',
    'answers.summary-2.json',
    'answers.summary-3.json',
    'answers.unknown-3.csv',
    'answers.unknown.csv',
  ])
})

test('the names of the result files have no number if no earlier result files exist', () => {
  const directory = temporaryFolder()
  const folder = new ResultFolder({ directory, owner: '' })
  for (const result of [rejects, unknown, summary]) folder.save(fileOf('a row'), result)
  expect(filesIn(directory)).toEqual(['answers.rejects.csv', 'answers.summary.json', 'answers.unknown.csv'])
})

test.each(['b row', 'fixed by hand'])(
  'a result file that was edited is neither replaced nor removed: %s',
  (text) => {
    const directory = temporaryFolder()
    const path = openFolder(directory).save(fileOf('a row'), rejects)
    writeFileSync(path, text)
    utimesSync(path, new Date(), new Date(Date.now() + 1_000))
    const next = openFolder(directory)
    expect(next.save(fileOf('a row'), rejects)).toBe(join(directory, 'answers.rejects-2.csv'))
    next.finish(true)
    expect(readFileSync(path, 'utf8')).toBe(text)
  },
)

test('after several unfinished runs, only the result files of the last run remain', () => {
  const directory = temporaryFolder()
  for (const text of ['first', 'the second']) {
    const folder = openFolder(directory)
    folder.save(fileOf(text), rejects)
    folder.save(fileOf(text), unknown)
    folder.finish(false)
    expect(filesIn(directory)).toEqual(['answers.rejects.csv', 'answers.unknown.csv'])
  }
  const last = openFolder(directory)
  last.save(fileOf('the third run'), rejects)
  last.finish(true)
  expect(filesIn(directory)).toEqual(['answers.rejects.csv'])
  expect(readFileSync(join(directory, 'answers.rejects.csv'), 'utf8')).toBe('the third run')
  expect(readdirSync(join(directory, '.notes'))).toEqual([])
})

test('an import finishes if the result file of its earlier run was moved away', () => {
  const directory = temporaryFolder()
  const earlier = openFolder(directory)
  rmSync(earlier.save(fileOf('a row'), rejects))
  earlier.finish(false)
  openFolder(directory).finish(true)
  expect(filesIn(directory)).toEqual([])
})

test('an import keeps the result files of a finished run and of another import', () => {
  const directory = temporaryFolder()
  const finished = openFolder(directory)
  finished.save(fileOf('a row'), rejects)
  finished.finish(true)
  openFolder(directory, 'others.csv').finish(false)
  openFolder(directory).finish(false)
  expect(existsSync(join(directory, 'answers.rejects.csv'))).toBe(true)
})

test('a resumed import of a renamed file removes the result files with the old name', () => {
  const directory = temporaryFolder()
  const notes = join(directory, '.notes')
  new ResultFolder({ directory, owner: 'answers.csv', stem: 'moved', notes }).save(fileOf('a row'), rejects)
  const next = openFolder(directory)
  next.save(fileOf('a row'), rejects)
  next.finish(true)
  expect(filesIn(directory)).toEqual(['answers.rejects.csv'])
})

test.each([
  ['/data/staff.csv', 'staff'],
  ['/data/staff.v2.CSV.gz', 'staff.v2'],
  ['answers.rejects-2.csv', 'answers'],
  ['answers.3-of-16.unknown.csv', 'answers.3-of-16'],
  ['rejects.csv', 'rejects'],
  ['staff', 'staff'],
  ['.csv', ''],
  [`${'ü'.repeat(100)}.csv`, 'ü'.repeat(100)],
  [`${'ü'.repeat(101)}.csv`, ''],
])('the names of the result files are derived from the input name %s', (path, stem) => {
  expect(stemOf(path)).toBe(stem)
})

test('if the path of the temporary file is a directory, the result file is saved and the directory is kept', () => {
  const directory = temporaryFolder()
  mkdirSync(join(directory, 'answers.rejects.csv.partial'))
  const folder = openFolder(directory)
  folder.save(fileOf('row'), rejects)
  folder.finish(true)
  expect(filesIn(directory)).toEqual(['answers.rejects.csv', 'answers.rejects.csv.partial'])
})

import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { UsageError } from '../../base/errors.ts'
import { isCreated } from '../../base/files.ts'
import { orUndefined } from '../../base/functions.ts'
import { look } from '../../base/paths.ts'
import { quoteWord, showWord } from '../../base/text.ts'
import { explainFile } from '../../bulk/input-file.ts'
import { decoderFor } from '../../bulk/rows/code-pages.ts'
import { datePattern } from '../../bulk/rows/flag-values.ts'
import type { Reading } from '../../bulk/types.ts'
import { writeOrExplain } from '../../bulk/write-or-explain.ts'
import type { Context } from '../context.ts'

/** The settings in the file by name. Each setting has a key in `Reading` and a function that checks the value. */
const settings: Readonly<
  Record<string, readonly [name: keyof Reading, isValid: (value: unknown) => boolean]>
> = {
  columns: ['map', isTexts],
  values: ['values', (value) => isObject(value) && Object.values(value).every(isTexts)],
  date_format: ['dateFormat', (value) => isText(value) && datePattern(value) !== undefined],
  encoding: ['encoding', (value) => isText(value) && decoderFor(value) !== undefined],
  delimiter: ['delimiter', (value) => isText(value) && value.length === 1],
  header_line: ['headerLine', isCount],
  ignore_columns: ['ignoreColumns', (value) => Array.isArray(value) && value.every(isText)],
  ids: ['ids', (value) => value === 'exact' || value === 'keep' || isCount(value)],
  sheet: ['sheet', isText],
  hidden: ['hidden', (value) => value === 'include' || value === 'skip'],
}

export function readMapping(path: string): Reading {
  const text = readFile(path)
  const mapping = orUndefined((): unknown => JSON.parse(text))
  if (!isObject(mapping)) throw new UsageError(`--mapping ${path} is not a JSON object`)
  const reading: Partial<Record<keyof Reading, unknown>> = {}
  for (const [key, value] of Object.entries(mapping)) {
    const [name, isValid] = settings[key] ?? []
    if (name === undefined)
      throw new UsageError(
        `--mapping ${path}: unknown key ${showWord(key)} (use ${Object.keys(settings).join(', ')})`,
      )
    if (!isValid?.(value)) throw new UsageError(`--mapping ${path}: "${key}" is not valid`)
    reading[name] = value
  }
  return reading as Reading
}

/** Throws if a settings file cannot be created at a path. */
export function checkSavePath(path: string): void {
  if (existsSync(path)) throw alreadyExists(path)
  writeOrExplain(path, () => accessSync(dirname(path), constants.W_OK))
}

/** Saves the settings for reading a file. A dry run writes no file, and prints a note. */
export function saveOrNote({ flags, note }: Context, path: string, reading: Reading): void {
  if (flags.dryRun) note(`dry run: the settings would be saved in ${quoteWord(path)}`)
  else saveMapping(path, reading)
}

/** Saves the settings for reading a file, so that the next file with the same columns needs no flags. */
export function saveMapping(path: string, reading: Reading): void {
  const entries = Object.entries(settings).flatMap(([key, [name]]) => {
    const value = reading[name]
    const isSet = value !== undefined && !(isObject(value) && Object.keys(value).length === 0)
    return isSet ? [[key, value]] : []
  })
  const text = `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`
  const save = () => writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  // A command that resumes a run saves the same settings again, so a file that already contains them is kept.
  if (writeOrExplain(path, () => isCreated(save)) || orUndefined(() => readFile(path)) === text) return
  throw alreadyExists(path)
}

function alreadyExists(path: string): UsageError {
  return new UsageError(`--save-mapping: ${path} already exists`, {
    hint: 'Delete it, or choose another file.',
  })
}

function readFile(path: string): string {
  // Only a regular file is read. A pipe that no program writes to, or a device without an end, would block the process, even after Ctrl-C.
  if (look(path)?.isFile() === false) throw new UsageError(`--mapping ${path} is not a regular file`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw explainFile(path, error)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTexts(value: unknown): boolean {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0
}

import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkSavePath, readMapping, saveMapping } from '../../../src/framework/many/mapping-file.ts'
import { temporaryFolder } from '../../helpers/folder.ts'

function fileWith(text: string): string {
  const path = join(temporaryFolder(), 'mapping.json')
  writeFileSync(path, text)
  return path
}

describe('a mapping file', () => {
  test.each([
    ['columns', { note: '', Geslacht: 'sex' }, 'map'],
    ['values', { sex: { V: 'F' }, language: {} }, 'values'],
    ['date_format', 'DD-MM-YYYY', 'dateFormat'],
    ['encoding', 'windows-1252', 'encoding'],
    ['delimiter', ';', 'delimiter'],
    ['header_line', 3, 'headerLine'],
    ['ignore_columns', ['note', 'city'], 'ignoreColumns'],
    ['ids', 'exact', 'ids'],
    ['ids', 'keep', 'ids'],
    ['ids', 8, 'ids'],
    ['sheet', 'Staff', 'sheet'],
    ['hidden', 'include', 'hidden'],
    ['hidden', 'skip', 'hidden'],
  ])('--save-mapping saves the setting %s with the value %j, and --mapping reads it', (key, value, name) => {
    const path = join(temporaryFolder(), 'mapping.json')
    saveMapping(path, { [name]: value })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ [key]: value })
    expect(readMapping(path)).toEqual({ [name]: value })
  })

  test.each([
    ['columns', [null, 'x', ['sex'], { note: 1 }]],
    ['values', [null, [], { sex: 'F' }, { sex: { V: 'F' }, language: { x: 1 } }]],
    ['date_format', [1, '', 'DD-MM']],
    ['encoding', [1, '', 'utf-99']],
    ['delimiter', [1, '', ';;']],
    ['header_line', ['1', 0, -1, 1.5, null]],
    ['ignore_columns', ['note', ['note', 1], ['']]],
    ['ids', ['other', 0, null, true]],
    ['sheet', ['', 1]],
    ['hidden', ['', 'other', true]],
  ])('--mapping refuses the setting %s if its value is one of these: %j', (key, values) => {
    for (const value of values)
      expect(() => readMapping(fileWith(JSON.stringify({ [key]: value })))).toThrow(`"${key}" is not valid`)
  })

  test.each(['', 'x', '[]', 'null', '"text"'])(
    '--mapping refuses the text %j, which is not a JSON object',
    (text) => {
      expect(() => readMapping(fileWith(text))).toThrow('is not a JSON object')
    },
  )

  test('--mapping refuses a missing file and a directory', () => {
    const folder = temporaryFolder()
    expect(() => readMapping(join(folder, 'none.json'))).toThrow('does not exist')
    expect(() => readMapping(folder)).toThrow('is not a regular file')
  })

  test('--save-mapping writes a file that only the owner can read, without settings that have no value', () => {
    const path = join(temporaryFolder(), 'mapping.json')
    saveMapping(path, { map: {}, values: {}, sheet: undefined, ignoreColumns: [] })
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ ignore_columns: [] })
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  test('--save-mapping refuses an existing file, and a file in a missing directory', () => {
    const path = fileWith('{}')
    const elsewhere = join(temporaryFolder(), 'none', 'mapping.json')
    for (const save of [checkSavePath, (at: string) => saveMapping(at, {})]) {
      expect(() => save(path)).toThrow(`--save-mapping: ${path} already exists`)
      expect(() => save(elsewhere)).toThrow(`cannot write ${elsewhere}`)
    }
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })

  test('--save-mapping accepts a file that contains the same settings, because a resumed run saves them again', () => {
    const path = join(temporaryFolder(), 'mapping.json')
    saveMapping(path, { ids: 'keep' })
    saveMapping(path, { ids: 'keep' })
    expect(() => saveMapping(path, { ids: 'exact' })).toThrow('already exists')
    expect(readMapping(path)).toEqual({ ids: 'keep' })
  })
})

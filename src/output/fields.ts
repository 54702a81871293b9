import type * as z from 'zod/mini'
import { UsageError } from '../base/errors.ts'
import { type Fields, fieldsOf } from '../base/json.ts'
import { didYouMean } from '../base/nearest.ts'
import { definitionOf } from '../contract/lenient.ts'
import { machineColumns, machineValue } from './cell.ts'
import type { AnyColumn } from './view.ts'

type Selectable = { text: unknown } | { columns: readonly AnyColumn[] }

type ResultSchema = z.core.$ZodType

/** Throws a UsageError for an unknown name. A known name is a column of the view, or a path in the schema. */
export function checkFields(
  fields: readonly string[],
  views: readonly Selectable[],
  schema?: ResultSchema,
): void {
  const columns = views.flatMap(columnsOf).map(({ key }) => key)
  const unknown = fields.filter((field) => !columns.includes(field) && !(schema && hasPath(schema, field)))
  if (unknown.length === 0) return
  const paths = schema ? pathsOf(schema) : []
  const known = [...new Set([...columns, ...paths.filter((path) => !path.includes('.'))])]
  if (known.length === 0)
    throw new UsageError('--json: this command prints a single value, so fields cannot be selected')
  const problems = unknown.map(
    (field) => `--json: unknown field "${field}"${didYouMean(field, [...known, ...paths])}`,
  )
  throw new UsageError(problems, { hint: `Known fields: ${known.join(', ')}.` })
}

/** Selects fields. The name of a column selects its value from each row. Any other name is a path, which applies to each item of a list. */
export function selectFields(
  value: unknown,
  fields: readonly string[],
  { view, rows }: { view: Selectable; rows: readonly unknown[] },
): unknown {
  const columns = columnsOf(view)
  const owner = (field: string) =>
    columns.some(({ key }) => key === field) || rows.some((row) => Object.hasOwn(fieldsOf(row), field))
  if (!fields.every(owner)) return pickPaths(value, treeOf(fields))
  const picked = rows.map((row) =>
    Object.fromEntries(fields.map((field) => [field, readField(row, field, columns)])),
  )
  return 'rows' in view || Array.isArray(value) ? picked : picked[0]
}

function readField(row: unknown, field: string, columns: readonly AnyColumn[]): unknown {
  const found: Fields = fieldsOf(row)
  if (Object.hasOwn(found, field)) return found[field]
  const column = columns.find(({ key }) => key === field)
  return (column && machineValue(column, row)) ?? null
}

function columnsOf(view: Selectable): readonly AnyColumn[] {
  return 'columns' in view ? machineColumns(view.columns) : []
}

/** Selected paths as a tree of names. An empty tree marks the end of a path. */
type Tree = Map<string, Tree>

function treeOf(paths: readonly string[]): Tree {
  const tree: Tree = new Map()
  for (const path of paths) {
    let node = tree
    for (const name of path.split('.')) {
      const next: Tree = node.get(name) ?? new Map()
      node.set(name, next)
      node = next
    }
  }
  return tree
}

/** A member with the name of its object can be omitted: `metrics.sleep_quality` selects `metrics.metrics.sleep_quality`. */
function pickPaths(value: unknown, tree: Tree, own = ''): unknown {
  if (tree.size === 0) return value ?? null
  if (Array.isArray(value)) return value.map((item) => pickPaths(item, tree, own))
  if (typeof value !== 'object' || value === null) return null
  const found: Fields = fieldsOf(value)
  const read = (name: string) => (Object.hasOwn(found, name) ? found[name] : fieldsOf(found[own])[name])
  return Object.fromEntries([...tree].map(([name, rest]) => [name, pickPaths(read(name), rest, name)]))
}

/** The definitions of the values inside lists, optional values, and unions. */
function innerOf(schema: ResultSchema): ReturnType<typeof definitionOf>[] {
  const def = definitionOf(schema)
  if (def.type === 'array') return innerOf(def.element)
  return def.type === 'union' ? def.options.flatMap(innerOf) : [def]
}

function hasPath(schema: ResultSchema, path: string, own = ''): boolean {
  const [name = '', ...rest] = path.split('.')
  return innerOf(schema).some((def) => {
    if (def.type === 'unknown' || def.type === 'any' || def.type === 'record') return true
    if (def.type !== 'object') return false
    const [field, repeated] = [name, own].map((key) =>
      Object.hasOwn(def.shape, key) ? def.shape[key] : undefined,
    )
    if (field === undefined) return repeated !== undefined && hasPath(repeated, path)
    return rest.length === 0 || hasPath(field, rest.join('.'), name)
  })
}

/** All paths of a schema. Each path comes before the paths below it. */
function pathsOf(schema: ResultSchema): string[] {
  return innerOf(schema).flatMap((def) => {
    const fields = def.type === 'object' ? Object.entries(def.shape) : []
    return fields.flatMap(([name, field]) => [name, ...pathsOf(field).map((below) => `${name}.${below}`)])
  })
}

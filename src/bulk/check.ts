import { createHash } from 'node:crypto'
import { UsageError } from '../base/errors.ts'
import { CheckPass, type PassInput } from './check-pass.ts'
import type { InputFile } from './open-input.ts'
import { ResultWriter } from './results/result-file.ts'
import { answerColumns } from './rows/layout.ts'
import { openTable, type Table } from './rows/table.ts'
import { checkTimeZone } from './rows/time-zones.ts'
import type { Plan } from './schemas.ts'
import { type Grouping, OrderedGrouping, SpooledGrouping } from './spool/grouping.ts'
import { Spool } from './spool/spool.ts'
import type { Batch, CheckOptions, ImportSettings, InputIdentity, ResultKind } from './types.ts'

interface Outcome {
  pass: CheckPass
  grouping: Grouping
  identity: InputIdentity
  rejects: ResultWriter | undefined
}

/** A checked input. It has temporary files until it is closed. */
export type CheckedInput = Awaited<ReturnType<typeof checkFile>>

/** Checks every row before anything is sent. Throws a `UsageError` if the file cannot be read at all. */
export async function checkFile(input: InputFile, settings: ImportSettings, options: CheckOptions = {}) {
  const table = openTable(input, settings, options.knownKeys)
  const timezone = zoneOf(settings, table)
  const source = { table, settings: { ...settings, timezone }, knownKeys: options.knownKeys }
  const spoolAnswers = () => new SpooledGrouping(settings.batchSize, new Spool(input.end, options.countsOnly))
  let outcome = await readAll(source, new OrderedGrouping(source), options)
  if (outcome.grouping.isClosed) outcome = await readAll(source, spoolAnswers(), options)
  const { pass, grouping, rejects } = outcome
  const unknown = resultWriter('unknown', source, options)
  return {
    plan: planOf(source, outcome),
    /** Whether users are named by both kinds of ID. Two IDs may name the same person. */
    hasBothIds: pass.hasBothIds,
    mostRequestsOfOneUser: grouping.counts.mostRequestsOfOneUser,
    users: pass.users,
    /** Result files; undefined without a result folder. The service may reject more rows. */
    rejects,
    unknown,
    /** Each call returns the same batches. */
    batches: (): AsyncIterable<Batch> | Iterable<Batch> =>
      grouping.batches({ keys: pass.keys.names, zones: pass.zones.names }),
    /** Discards rows that were not saved. */
    close() {
      grouping.close?.()
      rejects?.discard()
      unknown?.discard()
    },
  }
}

/** Stops early if the grouping closes. */
async function readAll(source: PassInput, grouping: Grouping, options: CheckOptions): Promise<Outcome> {
  const { input } = source.table
  const { signal, onProgress } = options
  const rejects = resultWriter('rejects', source, options)
  const hash = createHash('sha256')
  const pass = new CheckPass(source, grouping, rejects)
  try {
    for await (const position of pass.read(input.identity ? undefined : hash)) {
      signal?.throwIfAborted()
      onProgress?.(position, input.end)
    }
    if (grouping.isClosed) rejects?.discard()
    else grouping.finish?.()
  } catch (error) {
    rejects?.discard()
    grouping.close?.()
    throw error
  }
  const identity = input.identity ?? { sha256: hash.digest('hex'), bytes: input.end }
  return { pass, grouping, identity, rejects }
}

function resultWriter(
  name: ResultKind,
  { table }: PassInput,
  { results }: CheckOptions,
): ResultWriter | undefined {
  return results && new ResultWriter(results, name, table)
}

function zoneOf(settings: ImportSettings, table: Table): string | undefined {
  if (settings.timezone === undefined) {
    if (table.layout.columns.timezone >= 0) return undefined
    throw new UsageError('the file has no timezone column', {
      hint: 'Set the time zone for all rows: --timezone Europe/Amsterdam',
    })
  }
  const zone = checkTimeZone(settings.timezone)
  if (zone.name !== undefined) return zone.name
  throw new UsageError(`--timezone: unknown time zone "${settings.timezone}"`, {
    hint: 'Use an IANA name such as Europe/Amsterdam. Offsets are not supported.',
  })
}

function planOf(source: PassInput, outcome: Outcome): Plan {
  const { table, settings } = source
  const { input, layout } = table
  const { pass, identity } = outcome
  const { counts } = outcome.grouping
  const named = answerColumns.flatMap((readAs) => {
    const header = layout.names[layout.columns[readAs]]
    return header === undefined ? [] : [{ header, read_as: readAs as string }]
  })
  const keys = layout.keyColumns.map(({ column, key }) => ({
    header: layout.names[column] ?? key,
    read_as: key,
  }))
  return {
    name: input.name,
    identity,
    format: table.format,
    form: layout.form,
    delimiter: table.delimiter,
    encoding: input.encoding,
    gzip: input.gzip,
    columns: [...named, ...keys],
    ignored_columns: [...layout.ignored],
    timezone: settings.timezone,
    rows: pass.answers + pass.invalid,
    answers: pass.answers,
    invalid: pass.invalid,
    invalid_in_input: pass.invalid + pass.invalidElsewhere,
    skipped: pass.reader.skipped,
    users: counts.users,
    requests: counts.requests,
    problem_counts: [...pass.problemCounts]
      .map(([code, rows]) => ({ code, rows }))
      .sort((a, b) => b.rows - a.rows),
    problems: pass.problems,
    unknown_keys: pass.keys.unknownKeys(),
    repeats: counts.repeats(pass.keys.names),
    stopped_at: pass.stoppedAt,
  }
}

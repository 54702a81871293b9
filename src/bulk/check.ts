import { UsageError } from '../base/errors.ts'
import { CheckPass, type PassInput } from './check-pass.ts'
import type { InputFile } from './input-file.ts'
import type { Question } from './questions.ts'
import { ResultWriter } from './results/result-file.ts'
import { openTable } from './rows/open-table.ts'
import { refuseMergedIds } from './rows/record-reader.ts'
import { openSurvey, throwUnclear } from './rows/survey.ts'
import { answerColumns, type Layout } from './rows/table.ts'
import { askForZone } from './rows/time-zones.ts'
import type { Plan } from './schemas.ts'
import type { AnswerCounts } from './spool/answer-counts.ts'
import { type Grouping, OrderedGrouping } from './spool/grouping.ts'
import { type ImportSettings, userKinds } from './types.ts'

export interface CheckOptions {
  /** Lookup keys from `GET /v2/questions/all`. Undefined if they are not available: every key is then accepted. */
  knownKeys?: readonly string[] | undefined
  /** Whether `rejects` contains the invalid rows (default true). False saves time if the file is not needed. */
  keepsInvalid?: boolean | undefined
  /** Returns the external user IDs for which the service has another user ID than `expected` (default: no check). */
  findOtherUsers?: ((expected: ReadonlyMap<string, string>) => Promise<ReadonlySet<string>>) | undefined
  otherUsers?: ReadonlySet<string>
  signal?: AbortSignal | undefined
  onProgress?: ((readBytes: number, totalBytes: number) => void) | undefined
}

/** A checked input. `close` removes its temporary files. */
export type CheckedInput = Awaited<ReturnType<typeof checkFile>>

/** Checks all rows before anything is sent. Throws a `UsageError` if the file cannot be read. */
export async function checkFile(
  input: InputFile,
  settings: ImportSettings,
  { findOtherUsers, ...options }: CheckOptions = {},
) {
  const checked = await checkOnce(input, settings, options)
  try {
    const otherUsers = checked.expected.size === 0 ? undefined : await findOtherUsers?.(checked.expected)
    if (!otherUsers || otherUsers.size === 0) return checked
    checked.close()
    return await checkOnce(input, settings, { ...options, otherUsers })
  } catch (error) {
    checked.close()
    throw error
  }
}

async function checkOnce(input: InputFile, settings: ImportSettings, options: CheckOptions) {
  const table = await openTable(input, { ...settings, kind: 'answers', known: options.knownKeys ?? [] })
  const source = { ...options, table, settings }
  const rejects = new ResultWriter('rejects', table)
  const unknown = new ResultWriter('unknown', table)
  let grouping: Grouping = new OrderedGrouping(source)
  const close = () => {
    grouping.close?.()
    for (const file of [rejects, unknown]) file.discard()
  }
  try {
    let pass = await readAll(source, grouping, rejects, options)
    if (grouping.isClosed) {
      rejects.discard()
      const { SpooledGrouping } = await import('./spool/spooled-grouping.ts')
      grouping = new SpooledGrouping(settings.batchSize, input.end)
      pass = await readAll(source, grouping, rejects, options)
    }
    await refuseUnclear(source, pass)
    await refuseMergedIds(table, pass.records.changedIds)
    grouping.finish?.()
    return {
      table,
      plan: planOf(source, pass, grouping.counts),
      /** Whether the file contains both kinds of user ID. If so, two different IDs can belong to the same user. */
      hasBothIds: pass.userKinds === 0b11,
      mostRequestsOfOneUser: grouping.counts.mostRequestsOfOneUser,
      users: pass.users,
      /** User IDs by external user ID, from rows with both IDs. */
      expected: pass.pairs.expected,
      rejects,
      unknown,
      batches: () => grouping.batches({ keys: pass.keys.names, zones: pass.zones.names }),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Refuses a file with open questions, and a table without a column of answers, because an import of this table would send nothing. */
async function refuseUnclear({ table }: PassInput, pass: CheckPass): Promise<void> {
  const { layout } = table
  const questions = pass.source.survey?.questions() ?? []
  const hasAnswers = layout.form === 'long' || pass.records.keyColumns.length > 0
  if (hasAnswers || questions.some(canFindAnswers)) await throwUnclear(table.input.name, questions)
  if (hasAnswers) return
  const names = layout.names.map((name) => `"${name}"`).join(', ')
  throw new UsageError(`${table.input.name} has no column with answers; its columns are ${names}`, {
    hint: 'Name the columns like lookup keys, or use --map. List the lookup keys: facescan answers keys',
  })
}

/** Whether an answer to the question can result in a column of answers. Questions about users, IDs, and zones cannot. */
function canFindAnswers({ suggested }: Question): boolean {
  if (suggested === undefined) return true
  const { timezone, ids, map } = suggested
  const isOfUsers =
    map !== undefined && Object.values(map).every((field) => userKinds.some((kind) => kind === field))
  return timezone === undefined && ids === undefined && !isOfUsers
}

/** Reads all rows. Stops early if the chosen way to group the rows cannot be used for the file. */
async function readAll(
  source: PassInput,
  grouping: Grouping,
  rejects: ResultWriter,
  { signal, onProgress, keepsInvalid = true }: CheckOptions,
) {
  const { input } = source.table
  const { table, settings } = source
  const zones = {
    questions: () =>
      pass.zones.isUsed || settings.timezone !== undefined ? [] : [askForZone(table.layout.columns.timezone)],
  }
  const survey = await openSurvey(table, [zones])
  const pass: CheckPass = new CheckPass(
    { ...source, survey },
    (answer) => grouping.add(answer),
    keepsInvalid ? rejects : undefined,
  )
  for await (const position of pass.read()) {
    signal?.throwIfAborted()
    onProgress?.(position, input.end)
    if (grouping.isClosed) break
  }
  return pass
}

function planOf({ table, settings }: PassInput, pass: CheckPass, counts: AnswerCounts): Plan {
  const { input, layout } = table
  return {
    name: input.name,
    identity: input.identity,
    format: input.sheet === undefined ? table.format : 'xlsx',
    form: layout.form,
    delimiter: input.sheet === undefined ? table.delimiter : undefined,
    encoding: input.encoding,
    gzip: input.gzip,
    sheet: input.sheet,
    normalized: pass.records.normalized,
    sample: pass.sample,
    unusual: pass.keys.unusualAnswers(),
    columns: columnsOf(layout, table.json?.fields),
    ignored_columns: layout.unread.map((column) => layout.names[column] ?? ''),
    timezone: settings.timezone,
    rows: pass.answers + pass.invalid,
    answers: pass.answers,
    invalid: pass.invalid,
    invalid_in_input: pass.invalid + pass.invalidElsewhere,
    skipped: pass.records.skipped,
    unknown: pass.unknown,
    users: counts.users,
    requests: counts.requests,
    problem_counts: [...pass.problemCounts]
      .map(([code, rows]) => ({ code, rows }))
      .sort((a, b) => b.rows - a.rows),
    problems: pass.problems,
    unknown_keys: pass.keys.unknownKeys(),
    repeats: counts.repeats(pass.keys.names),
  }
}

function columnsOf(
  { names, columns, keyColumns }: Layout,
  fields: ReadonlySet<string> = new Set(answerColumns),
): Plan['columns'] {
  const named = answerColumns.flatMap((readAs) => {
    const header = names[columns[readAs]]
    return header === undefined || !fields.has(readAs) ? [] : [{ header, read_as: readAs as string }]
  })
  return [...named, ...keyColumns.map(({ column, key }) => ({ header: names[column] ?? key, read_as: key }))]
}

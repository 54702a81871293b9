import type { JournalState, PartialBatch } from '../journal/state.ts'
import type { Answer, Batch, Reason } from '../types.ts'
import type { ResultWriter } from './result-file.ts'

type RowFile = Pick<ResultWriter, 'add'>

const openMessage = 'sent, but the outcome is unknown: the import stopped before it checked the outcome'

/** Adds all rejected and unknown rows of a journal to the result files, in the order of the batches. Writes only rows that have a file. */
export async function addJournalRows(
  { partial }: Pick<JournalState, 'partial'>,
  batches: AsyncIterable<Batch> | Iterable<Batch>,
  { rejects, unknown }: { rejects: RowFile; unknown: RowFile | undefined },
): Promise<void> {
  let left = [...partial.values()].filter(({ open, finals }) => open || finals.length > 0).length
  if (left === 0) return
  for await (const batch of batches) {
    const known = partial.get(batch.id)
    const rows = known ? rowsOf(known, batch) : []
    for (const { type, part, ...reason } of rows) {
      const file = type === 'REJECT' ? rejects : unknown
      for (const [first, ...others] of byRecord(part.flatMap((at) => batch.rows[at] ?? [])))
        file?.add(
          first,
          [reason],
          [first, ...others].map(({ lookup_key }) => lookup_key),
        )
    }
    if (rows.length > 0 && --left === 0) return
  }
}

interface ResultRows extends Reason {
  type: 'REJECT' | 'UNKNOWN'
  part: readonly number[]
}

/** The rejected and unknown rows of a batch. Rows of a request without an acknowledgment are unknown until the import is resumed. */
function rowsOf({ finals, open, unconfirmed }: PartialBatch, { rows }: Batch): ResultRows[] {
  if (open === undefined) return finals
  const isFinal = new Set(finals.flatMap(({ part }) => part))
  const part = (open.part ?? [...rows.keys()]).filter((at) => !isFinal.has(at))
  const sent = `sent at ${new Date(open.at).toISOString()}`
  const message = [openMessage, sent, ...(unconfirmed === undefined ? [] : [unconfirmed])].join('; ')
  return [...finals, { type: 'UNKNOWN', part, code: 'open', message }]
}

/** Groups answers of the same record, such as the cells of a wide row. */
function byRecord(answers: readonly Answer[]): [Answer, ...Answer[]][] {
  const records: [Answer, ...Answer[]][] = []
  for (const answer of answers) {
    const last = records.at(-1)
    if (last?.[0].offset === answer.offset) last.push(answer)
    else records.push([answer])
  }
  return records
}

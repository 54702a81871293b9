import { parseLine, rawRecordKey, unwrapRecord } from '../rows/json-line.ts'
import { answerColumns, type HeaderRules, readAsOf, resultColumns } from '../rows/layout.ts'

type ResultCells = readonly [line: number, column: string, code: string, message: string]

const endsInResult =
  /,?"_line":\d+,"_column":"(?:[^"\\]|\\.)*","_code":"(?:[^"\\]|\\.)*","_message":"(?:[^"\\]|\\.)*"\}$/

/** A line of JSON with the reason added. A line that is not an object is kept as a string. */
export function jsonResultLine(
  raw: Buffer,
  result: ResultCells,
  rules: HeaderRules,
  onlyKeys?: ReadonlySet<string>,
): string {
  const reason = JSON.stringify(Object.fromEntries(resultColumns.map((name, index) => [name, result[index]])))
  const parsed = parseLine(raw)
  if ('reason' in parsed)
    return withReason(JSON.stringify({ [rawRecordKey]: unwrapRecord(raw.toString()) }), reason)
  if (onlyKeys === undefined) return withReason(parsed.text.trimEnd().replace(endsInResult, '}'), reason)
  const kept = new Set<string>([...answerColumns, ...onlyKeys])
  const members = parsed.members
    .filter(({ name }) => kept.has(readAsOf(name, rules)))
    .map(({ name, raw }) => `${JSON.stringify(name)}:${raw ?? JSON.stringify(parsed.object[name])}`)
  return withReason(`{${members.join()}}`, reason)
}

function withReason(object: string, reason: string): string {
  const inside = object.slice(0, -1).trimEnd()
  return `${inside}${inside === '{' ? '' : ','}${reason.slice(1)}`
}

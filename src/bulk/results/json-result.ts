import { isObject, type JsonLine, parseLine, rawRecordKey } from '../rows/json-line.ts'
import { answerColumns, resultColumns } from '../rows/layout.ts'

type ResultCells = readonly [line: number, column: string, code: string, message: string]

const endsInResult =
  /,?"_line":\d+,"_column":"(?:[^"\\]|\\.)*","_code":"(?:[^"\\]|\\.)*","_message":"(?:[^"\\]|\\.)*"\}$/

/** A line of JSON with the reason added. A line that is not an object is kept as a string. */
export function jsonResultLine(
  raw: Buffer,
  result: ResultCells,
  map: Readonly<Record<string, string>>,
  onlyKeys?: ReadonlySet<string>,
): Buffer {
  const reason = JSON.stringify(Object.fromEntries(resultColumns.map((name, index) => [name, result[index]])))
  const parsed = parseLine(raw)
  if ('reason' in parsed)
    return Buffer.from(withReason(JSON.stringify({ [rawRecordKey]: unwrapped(raw.toString()) }), reason))
  const text =
    onlyKeys === undefined
      ? parsed.text.trimEnd().replace(endsInResult, '}')
      : withKeys(parsed, map, onlyKeys)
  return Buffer.from(withReason(text, reason))
}

function withReason(object: string, reason: string): string {
  const inside = object.slice(0, -1).trimEnd()
  return `${inside}${inside === '{' ? '' : ','}${reason.slice(1)}`
}

/** The object without the other lookup keys. */
function withKeys(
  parsed: JsonLine,
  map: Readonly<Record<string, string>>,
  keys: ReadonlySet<string>,
): string {
  const kept = new Set<string>([...answerColumns, ...keys])
  const entries = Object.entries(parsed.object).filter(([name]) =>
    kept.has(Object.hasOwn(map, name) ? (map[name] ?? '') : name),
  )
  return JSON.stringify(
    Object.fromEntries(
      entries.map(([name, value]) => {
        const text = parsed.cellText(name, value)
        return [name, typeof value === 'number' && text !== String(value) ? text : value]
      }),
    ),
  )
}

function unwrapped(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const raw = isObject(value) ? value[rawRecordKey] : undefined
    return typeof raw === 'string' ? unwrapped(raw) : text
  } catch {
    return text
  }
}

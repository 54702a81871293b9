import { attribute, decodeXml, elementsOf, firstElement } from './xml.ts'

/** The properties of a cell's number format that affect IDs, answers, and dates. */
export type NumberFormat =
  | { kind: 'number' | 'date' | 'time' | 'percent' | 'fraction' | 'scaled' | 'decorated' }
  /** The number is displayed with a unit that is not a unit of the service. */
  | { kind: 'unit'; unit: string; isBefore?: boolean }
  | { kind: 'zeros'; digits: number }

const builtIn = new Map<number, string>([
  [9, '0%'],
  [10, '0.00%'],
  [12, '# ?/?'],
  [13, '# ??/??'],
  ...[14, 15, 16, 17].map((id): [number, string] => [id, 'd-m-yy']),
  ...[18, 19, 20, 21].map((id): [number, string] => [id, 'h:mm']),
  [22, 'm/d/yy h:mm'],
  // Date formats of East Asian languages.
  ...[27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id): [number, string] => [id, 'd-m-yy']),
  ...[32, 33, 34, 35, 45, 46, 47, 55, 56].map((id): [number, string] => [id, 'mm:ss']),
])

/** The number formats of a workbook. The position of a format is the style index in a cell. */
export function readFormats(styles: string): NumberFormat[] {
  const codes = new Map(builtIn)
  for (const { attributes } of elementsOf(styles, 'numFmt')) {
    codes.set(Number(attribute(attributes, 'numFmtId')), decodeXml(attribute(attributes, 'formatCode') ?? ''))
  }
  const list = firstElement(styles, 'cellXfs')?.content ?? ''
  return [...elementsOf(list, 'xf')].map(({ attributes }) =>
    classify(codes.get(Number(attribute(attributes, 'numFmtId') ?? 0)) ?? 'General'),
  )
}

/** Maximum length of a format code in a spreadsheet program. */
const maxCode = 255
/** Literal texts beside a number that do not change its meaning: signs, currencies, and the units of the service. */
const harmlessText = /^(?:[^\p{L}%‰]*|(?:cm|kg|eur|usd|chf|kr)\.?)$/iu

function classify(code: string): NumberFormat {
  if (code.length > maxCode) return { kind: 'unit', unit: '(unknown format)' }
  // A number format can have several sections, separated by semicolons. Only the first section, for positive numbers, is used.
  const [section = ''] = /(?:"[^"]*"|\\.|[^;"])*/.exec(code) ?? []
  // Literal text, such as a currency, or separators between the digits, as in 000-00-0000.
  const texts = section.matchAll(/"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]/g)
  const text = [...texts]
    .map(([, ...parts]) => parts.join(''))
    .join('')
    .trim()
  // The format code without literal text, colors, and conditions.
  const shown = section.replace(/"[^"]*"|\\.|_.|\*./g, '').replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  const isGeneral = /general|@/i.test(shown)
  if (!isGeneral && /[hs]/i.test(shown)) return { kind: 'time' }
  if (!isGeneral && /[dym]/i.test(shown)) return { kind: 'date' }
  if (shown.includes('%')) return { kind: 'percent' }
  if (shown.includes('/')) return { kind: 'fraction' }
  if (/[0#?],(?![0#?])/.test(shown)) return { kind: 'scaled' }
  const isBefore = section.search(/["\\]|\[\$/) < section.search(/[0#?]/)
  if (!harmlessText.test(text)) return { kind: 'unit', unit: text, isBefore }
  if (code !== '' && shown.trim() === '') return { kind: 'unit', unit: '(not displayed)' }
  const isPlain = isGeneral || /^\s*[#0?,]*(?:\.[0#?]+)?\s*$/.test(shown)
  if (text !== '' || !isPlain) return { kind: 'decorated' }
  // Digits that are always displayed before the decimal separator.
  const digits = /^\s*(0{2,})(?:\.[0#?]*)?\s*$/.exec(shown)?.[1]?.length
  return digits === undefined ? { kind: 'number' } : { kind: 'zeros', digits }
}

/** The display of a number cell. Contains only the properties that matter for an ID, an answer, or a date. */
export type NumberFormat =
  | { kind: 'number' | 'date' | 'time' | 'percent' | 'fraction' | 'scaled' | 'decorated' }
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

/** The number formats of a workbook. A cell contains the index of its format. */
export function readFormats(styles: string): NumberFormat[] {
  const codes = new Map(builtIn)
  for (const [, attributes = ''] of styles.matchAll(/<(?:\w+:)?numFmt\b([^>]*)>/g)) {
    codes.set(Number(attribute(attributes, 'numFmtId')), decodeXml(attribute(attributes, 'formatCode') ?? ''))
  }
  const [, list = ''] = /<(?:\w+:)?cellXfs\b[^>]*>([\s\S]*?)<\/(?:\w+:)?cellXfs>/.exec(styles) ?? []
  return [...list.matchAll(/<(?:\w+:)?xf\b([^>]*)>/g)].map(([, attributes = '']) =>
    classify(codes.get(Number(attribute(attributes, 'numFmtId') ?? 0)) ?? 'General'),
  )
}

function classify(code: string): NumberFormat {
  // Only the section for positive numbers is used, without literal text, colors, and conditions.
  const [positive = ''] = code.replace(/"[^"]*"|\\.|_.|\*./g, '').split(';')
  const shown = positive.replace(/\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  // Matches text, a currency, or separators between the digits, such as 000-00-0000.
  const hasText = /^[^;]*(?:"[^"]|\\[^ ]|\[\$[^-\]])/.test(code)
  if (/general|@/i.test(shown)) return { kind: hasText ? 'decorated' : 'number' }
  if (/[hs]/i.test(shown)) return { kind: 'time' }
  if (/[dy]/i.test(shown) || /m/i.test(shown)) return { kind: 'date' }
  if (shown.includes('%')) return { kind: 'percent' }
  if (shown.includes('/')) return { kind: 'fraction' }
  if (/[0#?],+(?![0#?])/.test(shown)) return { kind: 'scaled' }
  if (hasText || !/^\s*[#0?,]*(?:\.[0#?]+)?\s*$/.test(shown)) return { kind: 'decorated' }
  const digits = /^\s*(0{2,})(?:\.0*)?\s*$/.exec(shown)?.[1]?.length
  return digits === undefined ? { kind: 'number' } : { kind: 'zeros', digits }
}

export function attribute(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(`${name}="`)
  // The fast search may have found the end of a longer name. The slow search excludes this case.
  if (at < 0 || (at > 0 && !/\s/.test(attributes[at - 1] as string))) return slowAttribute(attributes, name)
  const start = at + name.length + 2
  return attributes.slice(start, attributes.indexOf('"', start))
}

function slowAttribute(attributes: string, name: string): string | undefined {
  const [, , value] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])(.*?)\\1`).exec(attributes) ?? []
  return value
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? all
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

/** Removes comments from the content of elements and converts CDATA to text. */
export function plainXml(content: string): string {
  if (!content.includes('<!')) return content
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return content
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, (_, text: string) => escaped(text))
}

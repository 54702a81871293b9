export interface XmlElement {
  attributes: string
  /** Undefined if the element has no content, such as `<c/>`. */
  content: string | undefined
  start: number
  end: number
}

/** The error for a start tag with a quotation mark that is not closed. */
export class UnclosedQuote extends Error {}

/** Matches attributes. A value in quotation marks can contain `>`. */
const attributesPattern = `[^<>"']*(?:(?:"[^<"]*"|'[^<']*')[^<>"']*)*`

/**
 * The elements with a name and any prefix, one after another. Elements inside these elements are skipped. The search stops after an
 * element without an end tag, so invalid XML takes no longer than valid XML. Throws UnclosedQuote if another tag starts inside a start tag.
 */
export function* elementsOf(xml: string, name: string): Generator<XmlElement> {
  const tag = new RegExp(`<(\\w+:)?${name}(?=[\\s/>])(?:(${attributesPattern})>|[^<]*<)`, 'g')
  for (let found = tag.exec(xml); found; found = tag.exec(xml)) {
    const [all, prefix = '', attributes] = found
    if (attributes === undefined) throw new UnclosedQuote()
    const start = found.index
    const from = start + all.length
    if (attributes.endsWith('/')) yield { attributes, content: undefined, start, end: from }
    else {
      const close = `</${prefix}${name}>`
      const to = xml.indexOf(close, from)
      if (to < 0) return
      tag.lastIndex = to + close.length
      yield { attributes, content: xml.slice(from, to), start, end: tag.lastIndex }
    }
  }
}

/** Whether the text contains this start tag. After the last element, a start tag means that its end tag is missing. */
export function hasStart(xml: string, name: string): boolean {
  return new RegExp(`<(?:\\w+:)?${name}[\\s/>]`).test(xml)
}

export function firstElement(xml: string, name: string): XmlElement | undefined {
  return elementsOf(xml, name).next().value ?? undefined
}

export function withoutElements(xml: string, name: string): string {
  let text = ''
  let end = 0
  for (const element of elementsOf(xml, name)) {
    text += xml.slice(end, element.start)
    end = element.end
  }
  return text + xml.slice(end)
}

export function attribute(attributes: string, name: string): string | undefined {
  const at = attributes.indexOf(` ${name}="`)
  if (at < 0) return slowAttribute(attributes, name)
  const start = at + name.length + 3
  return attributes.slice(start, attributes.indexOf('"', start))
}

function slowAttribute(attributes: string, name: string): string | undefined {
  const [, , value] = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(["'])(.*?)\\1`).exec(attributes) ?? []
  return value
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function decodeXml(text: string): string {
  return text.replace(/&(#x?[\da-f]+|\w+);/gi, (all, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? all
    const code = /#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all
  })
}

/** Removes comments from the content of elements and converts CDATA to text. */
export function plainXml(content: string): string {
  let text = ''
  let end = 0
  for (let at = content.indexOf('<!'); at >= 0; at = content.indexOf('<!', end)) {
    text += content.slice(end, at)
    const isData = content.startsWith('<![CDATA[', at)
    const close = isData ? ']]>' : '-->'
    const to = content.indexOf(close, at)
    end = to < 0 ? content.length : to + close.length
    if (isData)
      text += content
        .slice(at + 9, to)
        .replaceAll('&', '&amp;')
        .replaceAll('<', '&lt;')
  }
  return text + content.slice(end)
}

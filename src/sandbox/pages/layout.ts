import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/biomarkers.ts'
import type { Language } from '../../contract/values.ts'
import type { ScanRecord } from '../records.ts'
import { levelIn, type Texts, unitOf } from '../texts/index.ts'

export type Markup = ReturnType<typeof html>

export interface PageContext {
  language: Language
  texts: Texts
}

export async function renderPage(
  { language, texts }: PageContext,
  title: string,
  content: Markup,
  status = 200,
): Promise<Response> {
  const text = await html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<main><h1>${title}</h1>${content}</main>
<footer>${texts['page.note']}</footer>
</body>
</html>`
  return new Response(String(text), { status, headers })
}

export function section(name: string, heading: string, items: readonly (string | Markup)[]): Markup {
  return html`<section data-section="${name}"><h2>${heading}</h2><ul>${items.map((item) => html`<li>${item}</li>`)}</ul></section>`
}

export function biomarkerItems({ language, texts }: PageContext, scan: ScanRecord): string[] {
  return biomarkerNames.map((name) => {
    const zone = zoneOf(biomarkerFacts[name], scan[name])
    const value = `${formatNumber(scan[name], language)} ${unitOf(name, texts)}`
    return `${texts[`biomarker.${name}`]}: ${value}${zone ? ` (${levelIn(texts, zone)})` : ''}`
  })
}

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
}

export function formatTime(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(ms)
}

const style = `
:root { color-scheme: light dark; }
body { max-width: 48rem; margin: 0 auto; padding: 1rem; font: 16px/1.5 system-ui, sans-serif; }
label { display: flex; justify-content: space-between; gap: 1rem; margin-top: .5rem; }
a { color: inherit; }
input { width: 5rem; flex: none; font: inherit; }
`

/** The URL of a page contains a token, so browsers must not store it or send it to other sites. */
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
    `img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
}

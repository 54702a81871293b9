import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import { biomarkerFacts, biomarkerNames, zoneOf } from '../../contract/biomarkers.ts'
import type { Language } from '../../contract/values.ts'
import type { ScanRecord } from '../records/scans.ts'
import { fill, levelIn, type Texts, unitOf } from '../texts/index.ts'

export type Markup = ReturnType<typeof html>

export interface Context {
  language: Language
  texts: Texts
}

export interface Page {
  title: string
  content: Markup
  script?: string
}

/** Builds a complete page. The page loads only one image, the CE label of the sandbox. */
export async function renderPage(
  { language, texts }: Context,
  { title, content, script = '' }: Page,
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
<header>Acme Wellness</header>
<main><h1>${title}</h1>${content}</main>
<footer><p>${texts['page.note']}</p><img src="/v1/regulatory/ce-label" width="84" height="56" alt="${texts['page.label']}"></footer>
<script>${raw(script)}</script>
</body>
</html>`
  return new Response(String(text), { status, headers: headersFor(script) })
}

export function renderNotice(
  context: Context,
  [title, text]: readonly [string, string],
  status: number,
): Promise<Response> {
  return renderPage(context, { title, content: html`<p>${text}</p>` }, status)
}

export interface Section {
  heading: string
  items: readonly Markup[]
  empty?: string
}

export function section(name: string, { heading, items, empty }: Section): Markup {
  const content = items.length > 0 ? html`<ul>${items}</ul>` : html`<p>${empty}</p>`
  return html`<section data-section="${name}" aria-labelledby="${name}"><h2 id="${name}">${heading}</h2>${content}</section>`
}

export function card(title: string, value: string, ...notes: (string | Markup)[]): Markup {
  return html`<li class="card"><h3>${title}</h3><p class="value">${value}</p>${notes.map((note) => html`<p>${note}</p>`)}</li>`
}

/** Cards for the biomarkers of the newest scan, with zones if they are known, and with charts if there are several scans. */
export function biomarkerCards({ language, texts }: Context, scans: readonly ScanRecord[]): Markup[] {
  return biomarkerNames.map((name) => {
    const values = scans.map((scan) => scan[name])
    const [latest = 0] = values
    const show = (value: number) => `${formatNumber(value, language)} ${unitOf(name, texts)}`
    const [low, high] = [show(Math.min(...values)), show(Math.max(...values))]
    const label = fill(texts['dashboard.chart'], { count: values.length, low, high, latest: show(latest) })
    const zone = zoneOf(biomarkerFacts[name], latest)
    const notes = [zone ? levelIn(texts, zone) : [], values.length > 1 ? chart(values, label) : []].flat()
    return card(texts[`biomarker.${name}`], show(latest), ...notes)
  })
}

/** A line chart of the values, newest first. */
function chart(values: readonly number[], label: string): Markup {
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, index) => {
    const x = 100 - (index * 100) / (values.length - 1)
    return `${x.toFixed(1)},${(38 - (36 * (value - low)) / (high - low || 1)).toFixed(1)}`
  })
  return html`<svg viewBox="0 0 100 40" role="img" aria-label="${label}"><polyline points="${points.join(' ')}"/></svg>`
}

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
}

export function formatTime(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(ms)
}

const style = `
:root { color-scheme: light dark; --page: #fff; --ink: #10262c; --line: #c3ced1; --accent: #0b6e74; }
@media (prefers-color-scheme: dark) { :root { --page: #0d171a; --ink: #e8f1f2; --line: #3d4f55; --accent: #58c4c6; } }
* { box-sizing: border-box; }
body { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; font: 16px/1.5 system-ui, sans-serif;
  background: var(--page); color: var(--ink); }
header { padding: 1rem 0; font-weight: 650; color: var(--accent); }
footer { display: flex; gap: 1rem; justify-content: space-between; border-top: 1px solid var(--line); margin-top: 2rem; }
h3, p { margin: .25rem 0; }
ul { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); list-style: none; padding: 0; }
.card, fieldset { border: 1px solid var(--line); border-radius: .75rem; padding: 1rem; }
.value { font-size: 1.5rem; }
a { color: var(--accent); }
polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; }
button { border: 0; border-radius: 2rem; padding: .75rem 1.5rem; margin: 1rem 0; font: inherit; background: var(--accent); color: var(--page); }
label { display: flex; justify-content: space-between; gap: 1rem; margin-top: .5rem; }
label input, select { width: 5.5rem; flex: none; font: inherit; }
`

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

/**
 * Headers of a page. The address contains a token, so browsers must neither send nor store the address. Only the style and the script of
 * the page itself may run.
 */
function headersFor(script: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy':
      `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src 'self' data:; ` +
      `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  }
}

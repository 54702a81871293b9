import { createHash } from 'node:crypto'
import { html, raw } from 'hono/html'
import type { Language } from '../../contract/values.ts'
import type { Texts } from '../texts/index.ts'
import { scanScript } from './scan-script.ts'
import { style } from './style.ts'

export type Markup = ReturnType<typeof html>

/** The language of a page and its texts. */
export interface Context {
  language: Language
  texts: Texts
}

export interface Page extends Context {
  title: string
  content: Markup
  /** Script of this page. */
  script?: string
}

/** A complete page. It loads only the label, from the sandbox. */
export async function renderPage(
  { language, texts, title, content, script }: Page,
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
<header class="top">${mark}<span>Acme Wellness</span></header>
<main>${content}</main>
<footer><p>${texts['page.note']}</p><img src="/v1/regulatory/ce-label" width="84" height="56" alt="${texts['page.label']}"></footer>
${script ? html`<script>${raw(script)}</script>` : ''}
</body>
</html>`
  return new Response(String(text), { status, headers })
}

/** A page with one message. */
export function renderNotice(
  { language, texts }: Context,
  [title, text]: readonly [string, string],
  status: number,
): Promise<Response> {
  const content = html`<div class="stage"><h1>${title}</h1><p class="soft">${text}</p></div>`
  return renderPage({ language, texts, title, content }, status)
}

const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="10" fill="currentColor" opacity=".16"/>
<path d="M5 17h5l3-7 5 13 3-6h6" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`

function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

// The address contains a token, so browsers must not send or store it, and only the page's own style and script may run.
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'content-security-policy': [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(scanScript)}`,
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

import { html } from 'hono/html'

/** What a widget answers when JSON is not asked for, as seen in the field: a page. */
export async function widgetPage(body: unknown): Promise<Response> {
  const page =
    await html`<!doctype html><html lang="en"><title>Widget</title><pre>${JSON.stringify(body, null, 2)}</pre></html>`
  return new Response(String(page), { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

import { html } from 'hono/html'

/** The HTML reply of a widget, as seen on services for requests that do not accept JSON. */
export async function widgetPage(body: unknown): Promise<Response> {
  const page =
    await html`<!doctype html><html lang="en"><title>Widget</title><pre>${JSON.stringify(body, null, 2)}</pre></html>`
  return new Response(String(page), { headers: { 'content-type': 'text/html; charset=utf-8' } })
}

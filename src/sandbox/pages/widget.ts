import { html } from 'hono/html'
import type { ServiceReply } from '../message.ts'

/** The data of a widget as a page. */
export async function widgetPage(body: unknown): Promise<ServiceReply> {
  const page =
    await html`<!doctype html><html lang="en"><title>Widget</title><pre>${JSON.stringify(body, null, 2)}</pre></html>`
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: String(page) }
}

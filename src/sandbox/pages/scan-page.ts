import { html } from 'hono/html'
import { biomarkerNames, type LookupKey } from '../../contract/values.ts'
import type { ScanRecord } from '../records/scans.ts'
import { biomarkerCard } from './biomarker-card.ts'
import { formatTime } from './format.ts'
import type { Context, Page } from './layout.ts'
import { questionFields } from './questions.ts'
import { scanScript } from './scan-script.ts'

/** Replaces the face-scan plug-in: no camera, and a button that records a plausible scan. */
export function scanPage({ language, texts }: Context, unanswered: readonly LookupKey[]): Page {
  const title = texts['scan.title']
  const content = html`<div class="stage">
<h1>${title}</h1>
${face}
<div class="ready">
<p class="soft">${texts['scan.intro']}</p>
<p class="soft">${texts['scan.tips']}</p>
<form method="post">${questionFields(texts, unanswered)}<button class="button">${texts['scan.start']}</button></form>
</div>
<div class="running" hidden>
<p class="phase" role="status">${texts['scan.phase']}</p>
<progress value="0" max="1" aria-label="${title}"></progress>
</div>
</div>`
  return { language, texts, title, content, script: scanScript }
}

/** The result of a scan. `again` is the address for another scan. */
export function scanResultPage({ language, texts }: Context, scan: ScanRecord, again: string): Page {
  const title = texts['scan.done']
  const time = html`<time datetime="${new Date(scan.taken_at_ms).toISOString()}">${formatTime(scan.taken_at_ms, language)}</time>`
  const [before, after] = texts['scan.doneAt'].split('{time}')
  const content = html`<div class="stage"><h1>${title}</h1><p class="soft">${before}${time}${after}</p></div>
<section aria-labelledby="biomarkers"><h2 id="biomarkers">${texts['dashboard.biomarkers']}</h2><ul class="grid">
${biomarkerNames.map((name) => html`<li class="card">${biomarkerCard({ language, texts }, name, scan[name])}</li>`)}
</ul></section>
<div class="stage"><p><a class="button" href="${again}">${texts['scan.again']}</a></p></div>`
  return { language, texts, title, content }
}

const face = html`<svg class="face" viewBox="0 0 200 220" aria-hidden="true">
<ellipse class="rail" cx="100" cy="110" rx="90" ry="102"/>
<path class="ring" d="M100 8a90 102 0 0 1 0 204a90 102 0 0 1 0-204" pathLength="100" stroke-dasharray="0 100"/>
<ellipse class="outline" cx="100" cy="110" rx="72" ry="86"/>
<path class="feature" d="M66 92q10-8 20 0M114 92q10-8 20 0M100 100v24q-1 8-9 8M76 152q24 18 48 0"/>
</svg>`

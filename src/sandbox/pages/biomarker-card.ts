import { html } from 'hono/html'
import { type BiomarkerName, biomarkerFacts, zoneOf } from '../../contract/values.ts'
import { formatNumber, unitOf } from './format.ts'
import type { Markup, Page } from './layout.ts'
import type { ZoneName } from './texts/page-texts.ts'

/** Name, value and unit of a biomarker, and its zone if it is known. */
export function biomarkerCard(
  { language, texts }: Pick<Page, 'language' | 'texts'>,
  name: BiomarkerName,
  value: number,
): Markup {
  const zone = zoneOf(biomarkerFacts[name], value) as ZoneName | undefined
  const chip = zone ? html`<span class="chip">${texts.zones[zone]}</span>` : ''
  return html`<h3>${texts.biomarkers[name]}</h3>
<div class="row"><p class="value">${formatNumber(value, language)} <small>${unitOf(name, texts)}</small></p>${chip}</div>`
}

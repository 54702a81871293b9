import { html } from 'hono/html'
import { type BiomarkerName, biomarkerFacts, zoneOf } from '../../contract/values.ts'
import { levelIn } from '../texts/index.ts'
import { formatNumber, unitOf } from './format.ts'
import type { Context, Markup } from './layout.ts'

/** Name, value and unit of a biomarker, and its zone if it is known. */
export function biomarkerCard({ language, texts }: Context, name: BiomarkerName, value: number): Markup {
  const zone = zoneOf(biomarkerFacts[name], value)
  const chip = zone ? html`<span class="chip">${levelIn(texts, zone)}</span>` : ''
  return html`<h3>${texts[`biomarker.${name}`]}</h3>
<div class="row"><p class="value">${formatNumber(value, language)} <small>${unitOf(name, texts)}</small></p>${chip}</div>`
}

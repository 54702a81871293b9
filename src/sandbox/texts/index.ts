import { type BiomarkerName, biomarkerFacts } from '../../contract/biomarkers.ts'
import type { Language } from '../../contract/values.ts'
import type en from './en.json'

/** All texts of the sandbox in one language. Words in braces are placeholders. */
export type Texts = typeof en

export async function textsIn(language: Language): Promise<Texts> {
  return (await loaders[language]()).default
}

const loaders: Record<Language, () => Promise<{ default: Texts }>> = {
  nl: () => import('./nl.json', { with: { type: 'json' } }),
  da: () => import('./da.json', { with: { type: 'json' } }),
  en: () => import('./en.json', { with: { type: 'json' } }),
  fr: () => import('./fr.json', { with: { type: 'json' } }),
  de: () => import('./de.json', { with: { type: 'json' } }),
  es: () => import('./es.json', { with: { type: 'json' } }),
  sv: () => import('./sv.json', { with: { type: 'json' } }),
}

/** The name of a wellbeing level or of a biomarker zone. */
export function levelIn(texts: Texts, name: string): string {
  return texts[`level.${name}` as 'level.unknown']
}

/** The unit of a biomarker. Only a unit that consists of words is localized. */
export function unitOf(name: BiomarkerName, texts: Texts): string {
  return name === 'respiratory_rate' ? texts['biomarker.breathsPerMinute'] : biomarkerFacts[name].unit
}

export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

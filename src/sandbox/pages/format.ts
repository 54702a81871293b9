import { type BiomarkerName, biomarkerFacts, type Language } from '../../contract/values.ts'
import type { Texts } from '../texts/index.ts'

export function formatNumber(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value)
}

export function formatPercent(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 }).format(value / 100)
}

export function formatTime(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(ms)
}

export function formatDay(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(ms)
}

/** The unit of a biomarker. Only the unit with words is localized. */
export function unitOf(name: BiomarkerName, texts: Texts): string {
  return name === 'respiratory_rate' ? texts['biomarker.breathsPerMinute'] : biomarkerFacts[name].unit
}

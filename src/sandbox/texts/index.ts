import type { Language } from '../../contract/values.ts'
import type { Texts } from './texts.ts'

/** The texts of a language, loaded on first use. */
export async function textsIn(language: Language): Promise<Texts> {
  const { texts } = await loaders[language]()
  return texts
}

const loaders: Record<Language, () => Promise<{ texts: Texts }>> = {
  nl: () => import('./nl.ts'),
  da: () => import('./da.ts'),
  en: () => import('./en.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  sv: () => import('./sv.ts'),
}

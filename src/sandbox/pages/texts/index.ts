import type { Language } from '../../../contract/values.ts'
import type { PageTexts } from './page-texts.ts'

/** What the pages say in a language, loaded when it is first asked for. */
export async function pageTextsIn(language: Language): Promise<PageTexts> {
  const { texts } = await loaders[language]()
  return texts
}

const loaders: Record<Language, () => Promise<{ texts: PageTexts }>> = {
  nl: () => import('./nl.ts'),
  da: () => import('./da.ts'),
  en: () => import('./en.ts'),
  fr: () => import('./fr.ts'),
  de: () => import('./de.ts'),
  es: () => import('./es.ts'),
  sv: () => import('./sv.ts'),
}

/** Puts values in the braces of a text. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))
}

import type { Language } from '../../contract/values.ts'
import type { Texts } from './texts.ts'

/** The texts of a language, loaded when they are first asked for. */
export async function textsIn(language: Language): Promise<Texts> {
  const { texts } = await loaders[language]()
  return texts
}

const loaders: Record<Language, () => Promise<{ texts: Texts }>> = {
  nl: () => import('./en.ts'),
  da: () => import('./en.ts'),
  en: () => import('./en.ts'),
  fr: () => import('./en.ts'),
  de: () => import('./en.ts'),
  es: () => import('./en.ts'),
  sv: () => import('./en.ts'),
}

import { orUndefined } from '../or-undefined.ts'

/** Undefined if the text is not a URL. After many calls, `URL.canParse` of Node 20 rejects URLs with letters such as ü. */
export function toUrl(text: string): URL | undefined {
  return orUndefined(() => new URL(text))
}

import { quote } from './shell-quote.ts'

/** A text in each way in which it is written: plain, in JSON, in JSON within shell quotes, in a path and in a query; longest first. */
export function writtenForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const inPath = encodeURIComponent(text.toWellFormed())
  const inQuery = new URLSearchParams([['', text]]).toString().slice(1)
  const forms = [text, json, quote(json).slice(1, -1), inPath, inQuery]
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** The pattern of exactly this text. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

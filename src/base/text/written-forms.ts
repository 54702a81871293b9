import { quote } from './shell-quote.ts'

/** A text in every encoding in which it can appear: plain, JSON, JSON in shell quotes, path, and query. Longest first. */
export function writtenForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const inPath = encodeURIComponent(text.toWellFormed())
  const inQuery = new URLSearchParams([['', text]]).toString().slice(1)
  const forms = [text, json, quote(json).slice(1, -1), inPath, inQuery]
  return [...new Set(forms)].toSorted((a, b) => b.length - a.length)
}

/** Source of a regular expression that matches exactly this text. */
export function literalPattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

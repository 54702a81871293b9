import { toJsonText } from '../base/json.ts'
import { replaceUnsafe } from './text.ts'
import type { Pen } from './view.ts'

const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

/** Escapes control characters in JSON text. The value stays the same. */
export function escapeJson(json: string): string {
  const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return replaceUnsafe(json, (character) => character.split('').map(escapeUnit).join(''))
}

/** A value as JSON, colored and without control characters on a terminal. A missing value is null, so that stdout contains one document. */
export function toJson(value: unknown, pen: Pen, indent: 0 | 2): string {
  const json = toJsonText(value, indent)
  const safe = pen.terminal ? escapeJson(json) : json
  return `${pen.color ? paint(safe, pen) : safe}\n`
}

function paint(json: string, pen: Pen): string {
  return json.replace(tokens, (token, text?: string, colon?: string) => {
    if (text === undefined) return pen.yellow(token)
    return colon === undefined ? pen.green(text) : pen.cyan(text) + colon
  })
}

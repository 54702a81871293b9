import { toJsonText } from '../base/json.ts'
import type { Pen } from './view.ts'

/** Control characters that JSON does not escape, but that a terminal acts on: delete, C1, and direction overrides. */
const bareControls = /[\x7f-\x9f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function paint(json: string, pen: Pen): string {
  return json.replace(tokens, (token, text?: string, colon?: string) => {
    if (text === undefined) return pen.yellow(token)
    return colon === undefined ? pen.green(text) : pen.cyan(text) + colon
  })
}

/** The same JSON value for any stream. On a terminal, control characters are escaped and color is added. */
function styleJson(json: string, pen: Pen): string {
  const safe = pen.terminal ? json.replace(bareControls, unicodeEscape) : json
  return pen.color ? paint(safe, pen) : safe
}

/** A missing value is printed as null, so stdout always has one document. */
export function toJson(value: unknown, pen: Pen, indent: 0 | 2): string {
  return `${styleJson(toJsonText(value, indent), pen)}\n`
}

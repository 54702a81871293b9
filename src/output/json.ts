import { toJsonText } from '../base/json.ts'
import type { Pen } from './view.ts'

/** Control characters that JSON does not escape, but that a terminal acts on: delete, C1, and direction overrides. */
const bareControls =
  /[\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]/g
const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g

function unicodeEscape(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}

function paint(json: string, pen: Pen): string {
  return json.replace(tokens, (token, text?: string, colon?: string) => {
    if (text === undefined) return pen.yellow(token)
    return colon === undefined ? pen.green(text) : pen.cyan(text) + colon
  })
}

/** The same JSON value without characters that a terminal acts on. */
export function escapeJson(json: string): string {
  return json.replace(bareControls, unicodeEscape)
}

/** The same JSON value for any stream. On a terminal, control characters are escaped and color is added. */
function styleJson(json: string, pen: Pen): string {
  const safe = pen.terminal ? escapeJson(json) : json
  return pen.color ? paint(safe, pen) : safe
}

/** A missing value is printed as null, so stdout always has one document. */
export function toJson(value: unknown, pen: Pen, indent: 0 | 2): string {
  return `${styleJson(toJsonText(value, indent), pen)}\n`
}

import { escapeControls, oneLine } from '../../output/text.ts'
import type { Pen } from '../../output/view.ts'

/**
 * The fields that an update changes, one line per field with the old and the new value, for stderr. The external ID is
 * stored hashed, so its old value is unknown.
 */
export function describeChanges(
  before: Readonly<Record<string, unknown>>,
  body: Readonly<Record<string, unknown>>,
  pen: Pen,
): string[] {
  const width = Math.max(...Object.keys(body).map((name) => name.length))
  return Object.entries(body).map(([name, value]) => {
    if (name === 'external_user_id') return `  ${name.padEnd(width)}  replaced`
    const [from, to] = [show(before[name]), show(value)]
    return from === to
      ? `  ${name.padEnd(width)}  ${pen.dim(`${to} (unchanged)`)}`
      : `  ${name.padEnd(width)}  ${pen.red(from)} → ${pen.green(to)}`
  })
}

function show(value: unknown): string {
  return value === undefined || value === null ? '(none)' : oneLine(escapeControls(String(value)))
}

import { stringify } from 'yaml'
import { parseJson, toJsonText } from '../base/json.ts'
import { escapeControls } from './text.ts'
import type { Terminal } from './view.ts'

/** A YAML document that readers of YAML 1.1 and 1.2 parse in the same way: `no` and dates are quoted. */
export function toYaml(value: unknown, terminal: Pick<Terminal, 'isTTY'>): string {
  // As in JSON, a time is text and a missing value is null.
  const text = stringify(parseJson(toJsonText(value)), {
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
    lineWidth: 0,
  })
  return terminal.isTTY ? text.split('\n').map(escapeControls).join('\n') : text
}

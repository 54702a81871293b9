import { own } from '../base/functions.ts'
import { type Branch, type Leaf, nouns } from './routes.ts'
import { unknownCommand } from './unknown-command.ts'

export type Located =
  | { kind: 'command'; name: string; leaf: Leaf }
  | { kind: 'branch'; name: string; branch: Branch }
  | { kind: 'root'; name: '' }

/** The command at the start of words without flags. Undefined if the first words are neither a command nor a group. */
export function findCommand([noun, verb]: readonly string[]): Located | undefined {
  if (noun === undefined) return { kind: 'root', name: '' }
  const node = own(nouns, noun)
  if (node === undefined) return undefined
  if (!('verbs' in node)) return { kind: 'command', name: noun, leaf: node }
  if (verb === undefined) return { kind: 'branch', name: noun, branch: node }
  const leaf = own(node.verbs, verb)
  return leaf && { kind: 'command', name: `${noun} ${verb}`, leaf }
}

/** Like `findCommand`, but throws UsageError with a suggestion for an unknown command. */
export function locate(words: readonly string[]): Located {
  const found = findCommand(words)
  if (found) return found
  const [noun = '', verb = ''] = words
  const node = own(nouns, noun)
  if (node === undefined || !('verbs' in node)) throw unknownCommand('facescan', noun, Object.keys(nouns))
  throw unknownCommand(`facescan ${noun}`, verb, Object.keys(node.verbs))
}

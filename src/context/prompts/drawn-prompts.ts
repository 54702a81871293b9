import { Writable } from 'node:stream'
import { styleText } from 'node:util'
import { input, password, search, select } from '@inquirer/prompts'
import type { Output } from '../../base/io.ts'
import { type Choice, rowsOf } from '../../framework/ask.ts'
import { checkMark } from '../../output/message.ts'
import { wrap } from '../../output/text.ts'
import type { PromptRequest, Prompts, Validate } from './terminal.ts'

/** Maximum number of choices in a list. A longer list is searched by typing. */
const mostListed = 10

/** Label of the first entry if an answer is required. */
const unchosen = 'Choose one:'

const mark = (color: 'cyan' | 'green', text: string) => styleText(color, text, { validateStream: false })

/**
 * Symbols before an open prompt and before an answered prompt. They replace the symbols of the library, because its blue question mark is
 * hard to read on black.
 */
const theme = { prefix: { idle: mark('cyan', '?'), done: mark('green', checkMark) } }

export const drawnPrompts: Prompts = {
  text: (request, validate, earlier) => {
    const settings = { theme, message: messageOf(request), validate: whileOpen(request, validate) }
    const editable = earlier ? ({ default: earlier, prefill: 'editable' } as const) : {}
    return input({ ...settings, ...editable }, streamsOf(request))
  },
  secret: (request, validate) =>
    password(
      { theme, message: messageOf(request), mask: '•', validate: whileOpen(request, validate) },
      streamsOf(request),
    ),
  async confirm(request, fallback) {
    // The library replaces an invalid answer with the default, so this prompt checks the text itself.
    const usual = fallback ? 'Y/n' : 'y/N'
    const read = (text: string) => (text === usual ? fallback : readYesOrNo(text))
    const show = (text: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? (read(text) ? 'yes' : 'no') : text
    const check = async (text: string) => read(text) !== undefined || 'enter yes or no'
    const settings = { theme, message: messageOf(request), default: usual, transformer: show }
    const text = await input({ ...settings, validate: whileOpen(request, check) }, streamsOf(request))
    return read(text) ?? false
  },
  select: (request, choices, { none, earlier }) => {
    // The first entry is selected at the start. It is not an answer, so Enter alone stores nothing.
    const empty = { name: none ?? unchosen, value: undefined }
    if (choices.length <= mostListed)
      return selectFrom(request, [empty, ...choices], earlier, none !== undefined)
    const kept = choices.filter(({ value }) => value === earlier)
    return searchIn(request, choices, [...kept, ...(none === undefined ? [] : [empty])])
  },
}

/** The label. A long label continues on the next line. */
function messageOf({ label, width }: PromptRequest): string {
  return wrap(label, width - 2).join('\n  ')
}

export function readYesOrNo(text: string): boolean | undefined {
  if (/^\s*y(es)?\s*$/i.test(text)) return true
  return /^\s*no?\s*$/i.test(text) ? false : undefined
}

/**
 * Runs the check of an answer while the prompt is open. If the prompt was aborted, the check never resolves. If it resolved, the library
 * would open the prompt again and keep the process running.
 */
function whileOpen({ signal }: PromptRequest, validate: Validate): Validate {
  return async (text) => {
    const verdict = await validate(text)
    return signal.aborted ? new Promise<never>(() => undefined) : verdict
  }
}

async function selectFrom<Value>(
  request: PromptRequest,
  choices: readonly Choice<Value | undefined>[],
  earlier: Value | undefined,
  isOptional: boolean,
): Promise<Value | undefined> {
  const list = {
    pageSize: choices.length,
    default: earlier,
    theme: listThemeOf(request, '↑↓ move · Enter select'),
  }
  const [first, ...others] = choices
  for (let name = first?.name ?? unchosen; ; ) {
    const named = [{ name, value: undefined }, ...others]
    const value = await select({ message: messageOf(request), ...list, choices: named }, streamsOf(request))
    if (value !== undefined || isOptional) return value
    // The first entry in the list of choices does not answer the prompt. If it is selected, the prompt is drawn again in the same place.
    const rows = rowsOf({ text: `${request.label} ${name}` }, request.width)
    request.output.write(`\x1b[${rows}A\x1b[J`)
    name = 'Nothing is chosen yet. Press ↓ to choose, then Enter'
  }
}

/** Shows the matching choices only after the first typed character, so that Enter alone selects nothing. */
function searchIn<Value>(
  request: PromptRequest,
  choices: readonly Choice<Value>[],
  first: readonly Choice<Value | undefined>[],
): Promise<Value | undefined> {
  const source = (term = ''): readonly Choice<Value | undefined>[] =>
    term === '' ? first : findChoices(choices, term)
  const listTheme = listThemeOf(request, 'type to search · ↑↓ move · Enter select')
  return search({ message: messageOf(request), source, theme: listTheme }, streamsOf(request))
}

export function findChoices<Value>(choices: readonly Choice<Value>[], term: string): Choice<Value>[] {
  return choices.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase()))
}

function listThemeOf({ canGoBack }: PromptRequest, keys: string) {
  const keysHelpTip = () => (canGoBack ? `${keys} · Esc back` : keys)
  return { ...theme, style: { keysHelpTip } }
}

function streamsOf({ input, output, color, signal }: PromptRequest) {
  return {
    input,
    output: color ? output : withoutColor(output),
    signal,
    // Esc removes a prompt from the screen. An answered prompt stays.
    get clearPromptOnDone() {
      return signal.aborted
    },
  }
}

/** Control sequences that set a color or a style (SGR in ECMA-48). */
const style = /\x1b\[[\d;]*m/g

/** Removes colors from an output, because the prompt library ignores `--color`. */
function withoutColor(terminal: Output): Output {
  const plain = new Writable({
    write(chunk: Buffer, _, done) {
      terminal.write(chunk.toString().replace(style, ''))
      done()
    },
  })
  const { isTTY, columns, rows } = terminal
  return Object.assign(plain, { isTTY, columns, rows })
}

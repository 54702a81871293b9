import { createInterface } from 'node:readline'
import { BackRequested, type Choice } from '../../framework/ask.ts'
import { drawnPrompts, findChoices, readYesOrNo } from './drawn-prompts.ts'
import { endOfInput, type PromptRequest, type Prompts } from './terminal.ts'

/** Maximum number of choices that are printed. A longer list is searched first. */
const mostListed = 20

const isBack = (text: string): boolean => text.trim() === '<'

/** Prompts for screen readers and simple terminals: lines that do not change, and answers that end with Enter. */
export const plainPrompts: Prompts = {
  async text(request, validate, earlier = '') {
    const label = earlier === '' ? request.label : `${request.label}, Enter keeps ${earlier}`
    for (;;) {
      const text = (await readLine(request, `${label}: `)) || earlier
      const verdict = await validate(text)
      if (verdict === true) return text
      request.signal.throwIfAborted()
      request.output.write(`${verdict}\n`)
    }
  },
  // On a plain line, the terminal shows the typed text. Secrets therefore use the drawn prompt, which hides the text.
  secret: drawnPrompts.secret,
  async confirm(request, fallback) {
    for (;;) {
      const answer = await readLine(
        request,
        `${request.label} (yes or no, default ${fallback ? 'yes' : 'no'}): `,
      )
      if (answer.trim() === '') return fallback
      const isYes = readYesOrNo(answer)
      if (isYes !== undefined) return isYes
      request.output.write('enter yes or no\n')
    }
  },
  async select(request, choices, { none, earlier }) {
    const listed = choices.length > mostListed ? await search(request, choices) : choices
    const lines = listed.map(({ name }, index) => `  ${index + 1}. ${name}\n`)
    request.output.write(`${request.label}\n${lines.join('')}`)
    const kept = choices.find(({ value }) => value === earlier)
    const atEnter = kept ? `, Enter keeps ${kept.name}` : none ? `, or Enter to ${none.toLowerCase()}` : ''
    const label = `Number (1 to ${listed.length}${atEnter}): `
    for (;;) {
      const answer = (await readLine(request, label)).trim()
      if (answer === '' && (kept || none)) return kept?.value
      const choice = /^\d+$/.test(answer) ? listed[Number(answer) - 1] : undefined
      if (choice) return choice.value
      const problem = answer === '' ? 'enter' : `"${answer}" is not`
      request.output.write(`${problem} a number from 1 to ${listed.length}\n`)
    }
  },
}

async function search<Value>(
  request: PromptRequest,
  choices: readonly Choice<Value>[],
): Promise<Choice<Value>[]> {
  for (;;) {
    const term = await readLine(request, `${request.label} (type part of the name): `)
    const found = term.trim() === '' ? [] : findChoices(choices, term.trim())
    if (found.length > 0 && found.length <= mostListed) return found
    request.output.write(
      found.length === 0 ? 'no match\n' : `${found.length} matches; enter more of the name\n`,
    )
  }
}

/** Reads one line. The terminal itself shows the typed text and lets the user edit it. Rejects with BackRequested for `<`. */
function readLine({ input, output, canGoBack, signal }: PromptRequest, label: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, terminal: false, signal })
    output.write(label)
    const onEnd = () => {
      const reason = signal.aborted ? signal.reason : endOfInput()
      // The cursor is after the label. The message about Ctrl-C starts a new line itself.
      if (reason?.code !== 'interrupted') output.write('\n')
      reject(reason)
    }
    lines.once('line', (text) => {
      lines.off('close', onEnd).close()
      if (canGoBack && isBack(text)) reject(new BackRequested())
      else resolve(text)
    })
    lines.once('close', onEnd)
  })
}

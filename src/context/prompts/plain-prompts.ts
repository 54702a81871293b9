import { createInterface } from 'node:readline'
import { BackRequested, type Choice } from '../../framework/ask.ts'
import { wrap } from '../../output/text.ts'
import { drawnPrompts, findChoices, readYesOrNo } from './drawn-prompts.ts'
import { endOfInput, type PromptRequest, type Prompts } from './terminal.ts'

/** Maximum number of choices that are printed. A longer list is searched first. */
const mostListed = 20

const isBack = (text: string): boolean => text.trim() === '<'

/** Prompts for screen readers and simple terminals. Printed lines do not change, and answers end with Enter. */
export const plainPrompts: Prompts = {
  async text(request, validate, earlier = '') {
    const label = earlier === '' ? request.label : `${request.label}, Enter keeps ${earlier}`
    for (;;) {
      const text = (await readLine(request, label.endsWith(':') ? label : `${label}:`)) || earlier
      const verdict = await validate(text)
      if (verdict === true) return text
      request.signal.throwIfAborted()
      writeLine(request, verdict)
    }
  },
  // A prompt on a plain line would show the typed text, so prompts for secrets are drawn.
  secret: drawnPrompts.secret,
  async confirm(request, fallback) {
    for (;;) {
      const answer = await readLine(
        request,
        `${request.label} (yes or no, default ${fallback ? 'yes' : 'no'}):`,
      )
      if (answer.trim() === '') return fallback
      const isYes = readYesOrNo(answer)
      if (isYes !== undefined) return isYes
      writeLine(request, 'enter yes or no')
    }
  },
  async select(request, choices, { none, earlier }) {
    const listed = choices.length > mostListed ? await search(request, choices) : choices
    writeLine(request, request.label)
    listed.forEach(({ name }, index) => void request.output.write(`  ${index + 1}. ${name}\n`))
    const kept = choices.find(({ value }) => value === earlier)
    const atEnter = kept ? `, Enter keeps ${kept.name}` : none ? `, or Enter to ${none.toLowerCase()}` : ''
    const label = `Number (1 to ${listed.length}${atEnter}):`
    for (;;) {
      const answer = (await readLine(request, label)).trim()
      if (answer === '' && (kept || none)) return kept?.value
      const choice = /^\d+$/.test(answer) ? listed[Number(answer) - 1] : undefined
      if (choice) return choice.value
      const problem = answer === '' ? 'enter' : `"${answer}" is not`
      writeLine(request, `${problem} a number from 1 to ${listed.length}`)
    }
  },
}

async function search<Value>(
  request: PromptRequest,
  choices: readonly Choice<Value>[],
): Promise<Choice<Value>[]> {
  for (;;) {
    const term = await readLine(request, `${request.label} (type part of the name):`)
    const found = term.trim() === '' ? [] : findChoices(choices, term.trim())
    if (found.length > 0 && found.length <= mostListed) return found
    writeLine(request, found.length === 0 ? 'no match' : `${found.length} matches; enter more of the name`)
  }
}

/** Writes a text. On a narrow terminal, the text wraps only between words. */
function writeLine({ output, width }: PromptRequest, text: string): void {
  output.write(`${wrap(text, width).join('\n')}\n`)
}

/** Reads one line. The terminal shows the typed text and lets the user edit it. Rejects with BackRequested if the line is `<`. */
function readLine(
  { input, output, width, canGoBack, signal }: PromptRequest,
  label: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input, terminal: false, signal })
    output.write(`${wrap(label, width - 1).join('\n')} `)
    const onEnd = () => {
      const reason = signal.aborted ? signal.reason : endOfInput()
      // The cursor is still on the line of the label, so a line break is needed. After Ctrl-C, the error message writes this line break.
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

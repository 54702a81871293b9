import { RefusedError, type UsageError } from '../../base/errors.ts'
import { isPipe } from '../../base/files.ts'
import { quoteWord } from '../../base/text.ts'
import {
  flagsOf,
  mergeSettings,
  type Prompt,
  type Question,
  type Setting,
  UnclearFile,
} from '../../bulk/questions.ts'
import type { Effect } from '../../contract/endpoint.ts'
import { promptText } from '../../output/text.ts'
import { isConfirmed } from '../../profiles/guard.ts'
import {
  type Answered,
  askBelow,
  askInOrder,
  BackRequested,
  eraseAnswer,
  explainKeys,
  review,
  rowsOf,
} from '../ask.ts'
import type { Context } from '../context.ts'
import { checkSavePath, saveOrNote } from './mapping-file.ts'

export interface Closable {
  close(): void
}

export interface Opening<FileSetting extends Setting, Opened> {
  file: string
  /** Path for the settings (--save-mapping). */
  saveMapping?: string | undefined
  /** Effect of the command. Before a change, a prompt shows the command line that results from the user's choices. */
  effect: Effect
  /** Set if an earlier step read the same file and its prompts were answered. */
  step?: 'last' | undefined
  /** Settings from the flags. */
  setting: FileSetting
  /** Whether another step reads the same file. Only the last step shows the command and offers to save the prompted values. */
  hasNext?(opened: Opened): boolean
  /** Opens and checks the file. `line` is the command line, including the flags for `setting`. */
  open(setting: FileSetting, line: string): Promise<Opened>
  /** Prints rows as they would be sent. */
  show?(opened: Opened): unknown
}

/**
 * Prompts for settings until the file can be opened. If prompts are not possible, throws the error, which contains the command to run.
 * Without an error, this is the second of two steps that read the file, and the prompts of the first step were already answered.
 */
export async function askUntilOpened<FileSetting extends Setting, Opened extends Closable>(
  ctx: Context,
  opening: Opening<FileSetting, Opened>,
  error?: UsageError,
): Promise<Opened> {
  if (error && !(error instanceof UnclearFile)) throw error
  const canAsk = ctx.ask.possible && opening.file !== '-' && !isPipe(opening.file)
  if (error && !(canAsk && error.isAnswerable)) throw error.withCommand(ctx.line)
  const prompts = new FilePrompts(ctx, opening, await needsReview(ctx, opening.effect))
  if (!error) return prompts.open({})
  explainKeys(ctx)
  return prompts.ask(error.questions, {})
}

/** Whether the user reviews the command line. This is necessary only before a change that no other prompt confirms. */
async function needsReview(ctx: Context, effect: Effect): Promise<boolean> {
  if (effect === 'read' || ctx.flags.dryRun) return false
  return !isConfirmed(effect, await ctx.session(), ctx.flags.confirm)
}

/** Maximum number of choices in a list. A longer list contains the likely choices, and a search finds the others. */
const mostListed = 10

const somethingElse: Prompt['choices'][number] = { name: 'something else', set: {} }

const saveLabel = 'File for these settings (.json; Enter: do not save)'

type Chosen = Required<Answered> & { set: Setting }

/** The prompts about one file. If the file is opened again after an answer, Esc still returns to the earlier prompts. */
class FilePrompts<FileSetting extends Setting, Opened extends Closable> {
  private readonly ctx: Context
  private readonly opening: Opening<FileSetting, Opened>
  private readonly isReviewed: boolean
  private readonly answered: Answered[] = []
  /** Names of the chosen entries, by the label of the prompt. */
  private readonly chosen = new Map<string, string>()

  constructor(ctx: Context, opening: Opening<FileSetting, Opened>, isReviewed: boolean) {
    this.ctx = ctx
    this.opening = opening
    this.isReviewed = isReviewed
  }

  /** Asks until an answer differs from the suggestion, and then opens the file again, because later questions may depend on it. */
  ask([question, ...others]: readonly Question[], before: Setting): Promise<Opened> {
    const { problem, prompts = [], suggested, isPlain } = question ?? { problem: '' }
    const sets: Setting[] = []
    const steps = prompts.map((prompt, at) => async (canGoBack: boolean) => {
      const choose = () => this.choose(prompt, canGoBack)
      const isExplained = at === 0 && !isPlain
      const { answer, rowsAbove } = isExplained
        ? await askBelow(this.ctx, problem, choose)
        : { answer: await choose(), rowsAbove: 0 }
      sets[at] = answer.set
      return { text: answer.text, rowsAbove: rowsAbove + answer.rowsAbove }
    })
    const next = async () => {
      const answers = sets.reduce(mergeSettings, before)
      const isExpected = suggested && flagsOf(mergeSettings(answers, suggested)) === flagsOf(answers)
      return isExpected && others.length > 0 ? this.ask(others, answers) : this.open(answers)
    }
    return askInOrder(this.ctx, steps, next, this.answered)
  }

  /** Shows the choices. "something else" at the end of a long list opens a search. There, Esc returns to the likely choices. */
  private async choose(prompt: Prompt, canGoBack: boolean): Promise<Chosen> {
    const { label, likely = 2, choices } = prompt
    const [only] = choices
    if (only && choices.length === 1) return this.agree(label, only, canGoBack)
    if (choices.length <= mostListed) return this.select(label, choices, canGoBack)
    const first = await this.select(label, [...choices.slice(0, likely), somethingElse], canGoBack)
    if (first.set !== somethingElse.set) return first
    try {
      return {
        ...(await this.select(label, choices, true)),
        rowsAbove: rowsOf(first, this.ctx.terminals.stderr.width),
      }
    } catch (error) {
      if (!(error instanceof BackRequested)) throw error
      eraseAnswer(this.ctx, first)
      return this.choose(prompt, canGoBack)
    }
  }

  private async select(label: string, choices: Prompt['choices'], canGoBack: boolean): Promise<Chosen> {
    const key = `${choices.length} ${label}`
    const named = choices.map((choice) => ({ name: choice.name, value: choice }))
    const earlier = choices.find(({ name }) => name === this.chosen.get(key))
    const choice = await this.ctx.ask.select(label, named, { canGoBack, earlier })
    const { name = '', set = {} } = choice ?? {}
    this.chosen.set(key, name)
    return { set, text: promptText(`${label} ${name}`), rowsAbove: 0 }
  }

  /** Asks whether the only possible choice is right. */
  private async agree(label: string, { name, set }: Prompt['choices'][number], canGoBack: boolean) {
    const question = `${label}${label.endsWith(' is') ? '' : ':'} ${name}?`
    if (await this.ctx.ask.confirm(question, { default: true, canGoBack }))
      return { set, text: promptText(`${question} yes`), rowsAbove: 0 }
    throw new RefusedError('canceled; nothing was changed', {
      hint: 'Correct the file, then run the same command again.',
    })
  }

  async open(answers: Setting): Promise<Opened> {
    const line = addFlags(this.ctx.line, flagsOf(answers))
    const complete = mergeSettings(this.opening.setting, answers)
    let opened: Opened
    try {
      opened = await this.opening.open(complete, line)
    } catch (error) {
      if (!(error instanceof UnclearFile)) throw error
      if (!error.isAnswerable) throw error.withCommand(line)
      return this.ask(error.questions, answers)
    }
    try {
      await this.opening.show?.(opened)
      if (!this.opening.hasNext?.(opened)) await this.finish(complete, line)
      return opened
    } catch (error) {
      opened.close()
      throw error instanceof BackRequested ? new BackRequested({ isBelowText: true }) : error
    }
  }

  /** Shows the command that contains the prompted values. Except in a dry run, also offers to save these values. */
  private async finish(complete: FileSetting, line: string): Promise<void> {
    const { ctx, isReviewed } = this
    const { saveMapping: path } = this.opening
    const values = `equivalent command: ${line}`
    let saved = ''
    const offer = async (canGoBack: boolean) => {
      const check = (text: string) => text.trim() !== '' && checkSavePath(text.trim())
      saved = (await ctx.ask.text(saveLabel, { canGoBack, earlier: saved, check })).trim()
      return { text: `${saveLabel} ${saved}`.trimEnd() }
    }
    const last = async (canGoBack: boolean) => {
      if (isReviewed) await review(ctx, { values, question: 'Run this command?', canGoBack })
      else ctx.note(values)
    }
    await askInOrder(ctx, path === undefined && !ctx.flags.dryRun ? [offer] : [], last, this.answered)
    const savePath = path ?? saved
    if (savePath !== '') saveOrNote(ctx, savePath, complete)
    if (saved !== '') ctx.note(`use the saved answers with --mapping ${quoteWord(saved)}`)
  }
}

/** Adds flags to a command line. The flags come before `--`, because words after `--` are not flags. */
function addFlags(line: string, flags: string): string {
  if (flags === '') return line
  return line.includes(' -- ') ? line.replace(' -- ', ` ${flags} -- `) : `${line} ${flags}`
}

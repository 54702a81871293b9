import { isPipe } from '../../base/files.ts'
import { quoteWord } from '../../base/text.ts'
import { flagsOf, mergeSettings, type Prompt, type Setting, UnclearFile } from '../../bulk/questions.ts'
import type { Choice } from '../ask.ts'
import type { Context } from '../context.ts'
import { saveMapping } from './mapping-file.ts'

interface Opening<FileSetting extends Setting, Opened> {
  file: string
  /** Path for the settings (--save-mapping). */
  saveMapping?: string | undefined
  setting: FileSetting
  open: (setting: FileSetting, line: string) => Promise<Opened>
  show: (opened: Opened) => unknown
}

/** Prompts for settings until the file can be opened. Without a terminal, throws the error with the command to run. */
export async function askUntilOpened<FileSetting extends Setting, Opened>(
  ctx: Context,
  { file, saveMapping: path, setting, open, show }: Opening<FileSetting, Opened>,
  error: unknown,
): Promise<Opened> {
  const canAsk = ctx.ask.possible && file !== '-' && !isPipe(file)
  let { line } = ctx
  let answers: Setting = {}
  for (let unclear = error; ; ) {
    if (!(unclear instanceof UnclearFile)) throw unclear
    if (!canAsk || !unclear.isAnswerable) throw unclear.withCommand(line)
    answers = mergeSettings(answers, await askAll(ctx, unclear))
    line = addFlags(ctx.line, flagsOf(answers))
    const complete = mergeSettings(setting, answers)
    try {
      const opened = await open(complete, line)
      if (path !== undefined) saveMapping(path, complete)
      await show(opened)
      ctx.note(`equivalent command: ${line}`)
      if (path === undefined) await offerToSave(ctx, complete)
      return opened
    } catch (other) {
      unclear = other
    }
  }
}

/** Asks questions in order until an answer differs from its suggestion, because later questions may depend on that answer. */
async function askAll(ctx: Context, { questions }: UnclearFile): Promise<Setting> {
  let answers: Setting = {}
  for (const { problem, prompts = [], suggested, isPlain } of questions) {
    if (!isPlain) ctx.note(problem)
    for (const prompt of prompts) answers = mergeSettings(answers, await askOne(ctx, prompt))
    const isExpected = suggested && flagsOf(mergeSettings(answers, suggested)) === flagsOf(answers)
    if (!isExpected) break
  }
  return answers
}

/** Maximum number of choices in a list. More choices are searched by typing, and only the likely ones are listed. */
const mostListed = 10

async function askOne(ctx: Context, { label, likely = 2, choices }: Prompt): Promise<Setting> {
  const all = choices.map(({ name, set }) => ({ name, value: { set } }))
  const isLong = all.length > mostListed
  const other: Choice<{ set?: Setting }> = { name: 'something else', value: {} }
  const listed = isLong ? [...all.slice(0, likely), other] : all
  const first = await ctx.ask.select(label, listed)
  const answer = isLong && !first?.set ? await ctx.ask.select(label, all) : first
  return answer?.set ?? {}
}

async function offerToSave(ctx: Context, setting: Setting): Promise<void> {
  const label = 'File to save these answers for the next time (.json, Enter to skip)'
  const save = (text: string) => text.trim() !== '' && saveMapping(text.trim(), setting)
  const path = (await ctx.ask.text(label, { check: save })).trim()
  if (path !== '') ctx.note(`use the saved answers with --mapping ${quoteWord(path)}`)
}

/** Adds flags to a command line, before `--` because words after `--` are not flags. */
function addFlags(line: string, flags: string): string {
  return line.includes(' -- ') ? line.replace(' -- ', ` ${flags} -- `) : `${line} ${flags}`
}

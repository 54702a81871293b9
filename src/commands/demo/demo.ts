import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { FacescanError, UsageError } from '../../base/errors.ts'
import { writeTemporary } from '../../base/files.ts'
import type { Environment, Io } from '../../base/io.ts'
import { readPackageFile } from '../../base/process.ts'
import { alreadyPrinted } from '../../framework/command-result.ts'
import type { Context } from '../../framework/context.ts'
import { defineCommand } from '../../framework/define-command.ts'
import { flag } from '../../framework/options.ts'
import { positiveInteger } from '../../framework/values.ts'
import { breakCommand } from '../../output/text.ts'
import { write } from '../../output/write.ts'
import { sandboxProfile } from '../../profiles/profile.ts'
import { chooseStep, closing, flush, heading, opening, presentOn, readSteps, type TourStep } from './stage.ts'

const exampleFiles = ['answers.csv', 'staff.csv']

export default defineCommand({
  output: async () => {
    const { null: nothing } = await import('zod/mini')
    return nothing()
  },
  view: { text: () => '' },
  description:
    'Runs a tour in a temporary sandbox and deletes the sandbox at the end. The tour does not need a key or a network connection. The links work during the tour. In a terminal, press Enter to start a step, or type b and Enter to go back, or s and Enter to skip a step.',
  options: { from: flag('--from <step>', 'number of the first step', positiveInteger, { default: '1' }) },
  examples: ['facescan demo'],
  async run(ctx, { from }) {
    const { output, json, jq, dryRun } = ctx.flags
    if (dryRun || [output, json, jq].some((flag) => flag !== undefined && flag !== 'table')) {
      throw new UsageError('the demo does not support --dry-run, --output, --json, or --jq')
    }
    const steps = readSteps()
    if (from > steps.length)
      throw new UsageError(`--from: "${from}" is not valid (the tour has ${steps.length} steps)`)
    const home = writeTemporary(() => mkdtempSync(join(tmpdir(), 'facescan-demo-')))
    try {
      await withSandbox(ctx, home, () => tour(ctx, home, { steps, from }))
      return alreadyPrinted
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
})

/** Serves the sandbox until the end of the tour, so that its links work. */
async function withSandbox(ctx: Context, home: string, work: () => Promise<void>): Promise<void> {
  const { startSandbox } = await import('../../sandbox/server.ts')
  const database = join(home, 'state/sandbox.db')
  const sandbox = await startSandbox({ database, clock: ctx.clock, announce: true })
  try {
    await work()
  } finally {
    await sandbox.close()
  }
}

interface Stage {
  env: Environment
  io: Io
  /** Directory for the example files and for files that the commands write. */
  folder: string
}

async function tour(
  ctx: Context,
  folder: string,
  { steps, from }: { steps: readonly TourStep[]; from: number },
): Promise<void> {
  for (const name of exampleFiles)
    writeTemporary(() => writeFileSync(join(folder, name), readPackageFile(`examples/${name}`)))
  const terminal = ctx.terminals.stdout
  const env = demoEnvironment(terminal.color ? ctx.env : { ...ctx.env, NO_COLOR: '1' }, folder)
  await say(ctx, opening(terminal))
  // The texts that each step printed. Going back prints these texts again and does not run the step again, because a step that changes data
  // cannot run twice.
  const shown: string[] = []
  const perform = async (index: number, isShown: boolean) => {
    if (shown[index] !== undefined) return write(ctx.io.stdout, isShown ? shown[index] : '')
    const step = steps[index] as TourStep
    const { stream, text } = presentOn(ctx.io.stdout, ctx.signal, isShown)
    const io = { stdin: ctx.io.stdin, stdout: stream, stderr: stream }
    await runStep(ctx, { step, index }, { env, folder, io })
    shown[index] = text()
  }
  // The commands of skipped steps also run, because later steps use their results.
  for (let index = 0; index < from - 1; index++) {
    ctx.progress.show(`preparing step ${index + 1} of ${from - 1}…`)
    await perform(index, false)
  }
  ctx.progress.clear()
  for (let index = from - 1; index <= steps.length; ) {
    const isFirst = index < from && shown[index] === undefined
    const choice = isFirst ? 'next' : await chooseStep(ctx, index, steps.length)
    if (choice === 'back') {
      index -= 1
      await write(ctx.io.stdout, shown[index - 1] ?? '')
    } else if (index === steps.length) break
    else {
      await perform(index, choice === 'next')
      if (choice === 'skip') ctx.note(`skipped step ${index + 1}: ${steps[index]?.title}`)
      index += 1
    }
  }
  await say(ctx, closing(terminal))
}

async function runStep(
  ctx: Context,
  { step, index }: { step: TourStep; index: number },
  stage: Stage,
): Promise<void> {
  await write(stage.io.stdout, `${heading(index + 1, step, ctx.terminals.stdout)}\n`)
  for (const [at, line] of step.lines.entries()) {
    if (at > 0) await write(stage.io.stdout, '\n')
    await runLine(ctx, line, step.exitCode, stage)
  }
}

function say(ctx: Context, text: string): Promise<void> {
  return write(ctx.io.stdout, `${text}\n`)
}

/** The environment of the tour, without keys, profiles, and settings of the user. */
function demoEnvironment(env: Environment, home: string): Environment {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('FACESCAN_'))
  return {
    ...Object.fromEntries(others),
    FACESCAN_CONFIG_DIR: join(home, 'config'),
    FACESCAN_STATE_DIR: join(home, 'state'),
    FACESCAN_NO_INPUT: '1',
    FACESCAN_PROFILE: sandboxProfile,
  }
}

async function runLine(
  ctx: Context,
  line: string,
  expected: number,
  { env, io, folder }: Stage,
): Promise<void> {
  const { bold, green, isTTY, width } = ctx.terminals.stdout
  const shown = isTTY ? breakCommand(line, width - 2) : [line]
  await write(io.stdout, `${green('$')} ${shown.map(bold).join('\n  ')}\n`)
  const words = line.split(' ').map((word) => (word.endsWith('.csv') ? join(folder, basename(word)) : word))
  const exitCode = await ctx.program.run(words.slice(1), { env, io })
  await flush(io.stdout)
  ctx.signal.throwIfAborted()
  if (exitCode === expected || io.stdout.errored) return
  throw new FacescanError('internal', `the demo stopped: "${line}" exited with code ${exitCode}`)
}

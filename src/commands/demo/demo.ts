import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { FacescanError, UsageError } from '../../base/errors.ts'
import type { Environment, Io } from '../../base/io.ts'
import { readPackageFile } from '../../base/system/package-file.ts'
import { writeTemporary } from '../../base/system/temporary.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { alreadyPrinted } from '../../command/outcome.ts'
import { breakCommand } from '../../output/text.ts'
import { write } from '../../output/write.ts'
import { closing, flush, heading, opening, presentOn, waitForEnter } from './stage.ts'
import { readSteps } from './steps.ts'

const exampleFiles = ['answers.csv', 'staff.csv']

export default defineCommand({
  output: async () => {
    const { null: nothing } = await import('zod/mini')
    return nothing()
  },
  description:
    'Runs a tour in a temporary sandbox and deletes the sandbox at the end. The tour does not need a key or a network connection. In a terminal, press Enter to start each step.',
  examples: ['facescan demo'],
  async run(ctx) {
    const { output, json, jq } = ctx.flags
    if ([output, json, jq].some((flag) => flag !== undefined && flag !== 'table')) {
      throw new UsageError('the demo does not support --output, --json, or --jq')
    }
    const home = writeTemporary(() => mkdtempSync(join(tmpdir(), 'facescan-demo-')))
    try {
      await withSandbox(ctx, home, () => tour(ctx, home))
      return alreadyPrinted
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
})

/** Serves the sandbox, so that the links of the tour work until its end. */
async function withSandbox(ctx: Context, home: string, work: () => Promise<void>): Promise<void> {
  const { startSandbox } = await ctx.sandbox()
  const database = join(home, 'state/sandbox.db')
  const sandbox = await startSandbox({ database, clock: ctx.clock, announce: true })
  try {
    await work()
  } finally {
    await sandbox.close()
  }
}

/** What every command of a tour needs. */
interface Stage {
  env: Environment
  io: Io
  /** Contains the example files, and the files that the commands write. */
  folder: string
}

async function tour(ctx: Context, folder: string): Promise<void> {
  for (const name of exampleFiles)
    writeTemporary(() => writeFileSync(join(folder, name), readPackageFile(`examples/${name}`)))
  const pen = ctx.pen('stdout')
  const stdout = presentOn(ctx.io.stdout, ctx.signal)
  const env = demoEnvironment(pen.color ? ctx.env : { ...ctx.env, NO_COLOR: '1' }, folder)
  const stage = { env, folder, io: { stdin: ctx.io.stdin, stdout, stderr: stdout } }
  await say(ctx, opening(pen))
  const steps = readSteps()
  for (const [index, step] of steps.entries()) {
    if (index > 0) await waitForEnter(ctx, `step ${index + 1} of ${steps.length}`)
    await say(ctx, heading(index + 1, step, pen))
    for (const [at, line] of step.lines.entries()) {
      if (at > 0) await say(ctx, '')
      await runLine(ctx, line, step.exitCode, stage)
    }
  }
  await say(ctx, closing(pen))
}

function say(ctx: Context, text: string): Promise<void> {
  return write(ctx.io.stdout, `${text}\n`)
}

/** The tour does not use the keys, profiles and settings of the person. */
function demoEnvironment(env: Environment, home: string): Environment {
  const others = Object.entries(env).filter(([name]) => !name.startsWith('FACESCAN_'))
  return {
    ...Object.fromEntries(others),
    FACESCAN_CONFIG_DIR: join(home, 'config'),
    FACESCAN_STATE_DIR: join(home, 'state'),
    FACESCAN_NO_INPUT: '1',
  }
}

async function runLine(
  ctx: Context,
  line: string,
  expected: number,
  { env, io, folder }: Stage,
): Promise<void> {
  const { bold, green, terminal, width } = ctx.pen('stdout')
  const shown = terminal ? breakCommand(line, width - 2) : [line]
  await say(ctx, `${green('$')} ${shown.map(bold).join('\n  ')}`)
  const words = line.split(' ').map((word) => (word.endsWith('.csv') ? join(folder, basename(word)) : word))
  const exitCode = await ctx.run(words.slice(1), { env, io })
  await flush(io.stdout)
  ctx.signal.throwIfAborted()
  if (exitCode === expected || io.stdout.errored) return
  throw new FacescanError('internal', `the demo stopped: "${line}" exited with code ${exitCode}`)
}

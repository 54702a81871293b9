import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { FacescanError, UsageError } from '../../base/errors.ts'
import type { Environment, Io } from '../../base/io.ts'
import { packageRoot } from '../../base/system/package-root.ts'
import { writeTemporary } from '../../base/system/temporary.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { alreadyPrinted } from '../../command/outcome.ts'
import { breakCommand } from '../../output/text.ts'
import type { Pen } from '../../output/view.ts'
import { write } from '../../output/write.ts'
import { closing, heading, opening } from './pages.ts'
import { otherUsers, type Step, steps } from './steps.ts'
import { discard, flush, presentOn } from './streams.ts'
import { waitForEnter } from './wait-for-enter.ts'

/** Files beside the program, or assets of the single executable. */
const exampleFiles = ['answers.csv', 'users.csv']

function readExample(name: string): string {
  return isSea() ? getAsset(name, 'utf8') : readFileSync(join(packageRoot(), 'examples', name), 'utf8')
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

export default defineCommand({
  output: async () => {
    const { null: nothing } = await import('zod/mini')
    return nothing()
  },
  description:
    'Runs a tour on a temporary sandbox and deletes the sandbox at the end. Needs no key and no network. On a terminal, Enter starts each step.',
  examples: ['facescan demo'],
  async run(ctx) {
    const { output, json, jq } = ctx.flags
    if ([output, json, jq].some((flag) => flag !== undefined && flag !== 'table')) {
      throw new UsageError('the demo prints text for people; it does not support --output, --json, or --jq')
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

/** Properties that all steps of a tour share. */
interface Stage {
  env: Environment
  io: Io
  /** Contains the example files, and the files that the commands write. */
  folder: string
  pen: Pen
  say(text: string): Promise<void>
}

async function tour(ctx: Context, home: string): Promise<void> {
  const stage = setStage(ctx, home)
  await stage.say(opening(stage.pen))
  for (const [index, step] of steps.entries()) {
    if (index > 0) await waitForEnter(ctx, `step ${index + 1} of ${steps.length}`)
    await stage.say(heading(index + 1, step, stage.pen))
    await runStep(ctx, step, stage)
    if (index === 0) await createOtherUsers(ctx, stage.env)
  }
  await stage.say(closing(stage.pen))
}

function setStage(ctx: Context, home: string): Stage {
  for (const name of exampleFiles) writeTemporary(() => writeFileSync(join(home, name), readExample(name)))
  const pen = ctx.pen('stdout')
  const stdout = presentOn(ctx.io.stdout, ctx.signal)
  return {
    env: demoEnvironment(pen.color ? ctx.env : { ...ctx.env, NO_COLOR: '1' }, home),
    io: { stdin: ctx.io.stdin, stdout, stderr: stdout },
    folder: home,
    pen,
    say: (text) => write(ctx.io.stdout, `${text}\n`),
  }
}

async function runStep(ctx: Context, { lines, exits = 0 }: Step, stage: Stage): Promise<void> {
  for (const [index, line] of lines.entries()) {
    if (index > 0) await stage.say('')
    await runLine(ctx, line, exits, stage)
  }
}

async function runLine(ctx: Context, line: string, expected: number, stage: Stage): Promise<void> {
  const { bold, green, terminal, width } = stage.pen
  const shown = terminal ? breakCommand(line, width - 2) : [line]
  await stage.say(`${green('$')} ${shown.map(bold).join('\n  ')}`)
  const words = line
    .split(' ')
    .map((word) => (word.endsWith('.csv') ? join(stage.folder, basename(word)) : word))
  const exitCode = await ctx.run(words.slice(1), { env: stage.env, io: stage.io })
  await flush(stage.io.stdout)
  ctx.signal.throwIfAborted()
  if (exitCode === expected || stage.io.stdout.errored) return
  throw new FacescanError('internal', `the demo stopped: "${line}" exited with code ${exitCode}`)
}

/** The example answers belong to more users than the tour shows. */
async function createOtherUsers(ctx: Context, env: Environment): Promise<void> {
  const io = { stdin: ctx.io.stdin, stdout: discard(), stderr: discard() }
  for (const id of otherUsers) {
    await ctx.run(['users', 'create', id, '--quiet'], { env, io })
    ctx.signal.throwIfAborted()
  }
}

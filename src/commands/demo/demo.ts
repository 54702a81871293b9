import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { PassThrough, Writable } from 'node:stream'

import { FacescanError } from '../../base/errors.ts'
import type { Environment, Io, Output } from '../../base/io.ts'
import { packageRoot } from '../../base/system/package-root.ts'
import { writeTemporary } from '../../base/system/temporary.ts'
import type { Context } from '../../command/context.ts'
import { defineCommand } from '../../command/define-command.ts'
import { breakCommand } from '../../output/command-line.ts'
import { wrap } from '../../output/text.ts'
import type { Pen } from '../../output/view.ts'
import { write } from '../../output/write.ts'
import { otherUsers, type Step, steps } from './steps.ts'

/** Lies beside the program, or inside the single executable. */
function readShippedAnswers(): string {
  if (isSea()) return getAsset('answers.csv', 'utf8')
  return readFileSync(join(packageRoot(), 'examples/answers.csv'), 'utf8')
}

/** The person's own keys and profiles stay out of the tour. */
function demoEnvironment(env: Environment, home: string): Environment {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('FACESCAN_'))
  return {
    ...Object.fromEntries(own),
    FACESCAN_CONFIG_DIR: join(home, 'config'),
    FACESCAN_STATE_DIR: join(home, 'state'),
    FACESCAN_NO_INPUT: '1',
  }
}

/** The tour is for eyes: its tables look the same when it is piped, without colour. */
function presentOn(stream: Output, signal: AbortSignal): Output {
  const shown: Output = new Writable({
    write(chunk: Buffer, _, done) {
      // A progress line that draws over itself means nothing in a file.
      const isLost = !stream.isTTY && chunk.toString().startsWith('\r')
      // The tour says itself that it was stopped.
      if (isLost || signal.aborted) done()
      else write(stream, chunk).then(() => done(), done)
    },
  })
  // What cannot be written ends the tour with the next thing it says itself.
  shown.on('error', () => undefined)
  shown.isTTY = true
  shown.columns = stream.columns ?? 100
  return shown
}

function heading(number: number, { title, why }: Step, pen: Pen): string {
  const rule = '─'.repeat(Math.max(4, Math.min(pen.width, 100) - title.length - String(number).length - 7))
  const lines = wrap(why, Math.min(pen.width, 100)).map((line) => pen.dim(line))
  return `\n${pen.cyan(`── ${number}  ${pen.bold(title)} ${rule}`)}\n${lines.join('\n')}\n`
}

export default defineCommand({
  description:
    'Runs a tour on a sandbox of its own, which is thrown away afterwards. Needs no key and no network.',
  examples: ['facescan demo'],
  async run(ctx) {
    const home = writeTemporary(() => mkdtempSync(join(tmpdir(), 'facescan-demo-')))
    try {
      await withSandbox(ctx, home, () => tour(ctx, home))
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  },
})

/** Served, so that its links open as long as the tour lasts. */
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

async function tour(ctx: Context, home: string): Promise<void> {
  const answers = join(home, 'answers.csv')
  writeTemporary(() => writeFileSync(answers, readShippedAnswers()))
  const pen = ctx.pen('stdout')
  const stdout = presentOn(ctx.io.stdout, ctx.signal)
  const env = demoEnvironment(pen.color ? ctx.env : { ...ctx.env, NO_COLOR: '1' }, home)
  const io: Io = { stdin: ctx.io.stdin, stdout, stderr: stdout }
  const say = (text: string) => write(ctx.io.stdout, `${text}\n`)
  await say(pen.bold('facescan, a tour on a sandbox of its own. Nothing leaves this machine.'))
  for (const [index, step] of steps.entries()) {
    await say(heading(index + 1, step, pen))
    for (const [at, line] of step.lines.entries()) {
      if (at > 0) await say('')
      await show(ctx, line, step.exits ?? 0, { env, io, answers, pen, say })
    }
    if (index === 0) await createOthers(ctx, env)
  }
  await say(closing(pen))
}

interface Stage {
  env: Environment
  io: Io
  answers: string
  pen: Pen
  say(text: string): Promise<void>
}

async function show(ctx: Context, line: string, expected: number, stage: Stage): Promise<void> {
  const { bold, green, terminal, width } = stage.pen
  const shown = terminal ? breakCommand(line, width - 2) : [line]
  await stage.say(`${green('$')} ${shown.map(bold).join('\n  ')}`)
  const words = line
    .split(' ')
    .slice(1)
    .map((word) => (word === 'examples/answers.csv' ? stage.answers : word))
  const exitCode = await ctx.run(words, { env: stage.env, io: stage.io })
  ctx.signal.throwIfAborted()
  if (exitCode === expected || stage.io.stdout.errored) return
  throw new FacescanError('internal', `the tour stopped: "${line}" exited ${exitCode}`)
}

/** The shipped answers belong to more users than the tour shows. */
async function createOthers(ctx: Context, env: Environment): Promise<void> {
  const silent = new PassThrough().resume()
  for (const id of otherUsers) {
    await ctx.run(['users', 'create', '--external-user-id', id, '--quiet'], {
      env,
      io: { ...ctx.io, stdout: silent, stderr: silent },
    })
    ctx.signal.throwIfAborted()
  }
}

function closing(pen: Pen): string {
  return [
    `\n${pen.cyan('─'.repeat(Math.min(pen.width, 100)))}`,
    'That was all of it, and it is gone again. To go on by yourself:',
    `  ${pen.bold('facescan users create --external-user-id 4711')}   ${pen.dim('on a sandbox that stays')}`,
    `  ${pen.bold('facescan profiles add ACME-DEV')}                  ${pen.dim('your service, with your key')}`,
    `  ${pen.bold('facescan --help')}                                 ${pen.dim('everything else')}`,
  ].join('\n')
}

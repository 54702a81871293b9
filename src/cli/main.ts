import { FacescanError, UsageError } from '../base/errors.ts'
import { writeCrashReport } from '../base/system/crash-report.ts'
import { resolvePaths } from '../base/system/paths.ts'
import { version } from '../base/version.ts'
import { asksForHelp, beforeDashes } from '../base/words.ts'
import type { Command } from '../command/define-command.ts'
import { aboutSameService } from '../command/follow-up.ts'
import { composeContext } from '../context/compose.ts'
import type { Composition, Outside } from '../context/composition.ts'
import { DryRunStop, plannedView } from '../http/dry-run.ts'
import { printError } from '../output/message.ts'
import { createPen } from '../output/pen.ts'
import type { ColorMode, OutputSettings } from '../output/settings.ts'
import type { Pen } from '../output/view.ts'
import { ClosedPipe, write } from '../output/write.ts'
import { type Located, locate } from '../tree/locate.ts'
import { allNouns } from '../tree/tree.ts'
import { chooseOutput, guessColor, guessFormat } from './choose-output.ts'
import { completeWords } from './interview.ts'

/** Runs one command line and resolves with its exit code. Everything from outside the program comes in with `outside`. */
export async function main(argv: readonly string[], given: Outside): Promise<number> {
  const outside = beforeDashes(argv).includes('--redact') ? await redact(argv, given) : given
  try {
    await dispatch(argv, outside)
    return 0
  } catch (error) {
    return report(error, argv, outside)
  }
}

/** Everything that is printed from here on, errors included, carries pseudonyms. */
async function redact(argv: readonly string[], outside: Outside): Promise<Outside> {
  const { coverStreams, openPseudonyms } = await import('../output/redaction/choose-pseudonyms.ts')
  const pseudonyms = await openPseudonyms(argv, outside.env)
  return { ...outside, io: coverStreams(outside.io, pseudonyms), pseudonyms }
}

async function dispatch(argv: readonly string[], outside: Outside): Promise<void> {
  const { env, io } = outside
  if (beforeDashes(argv).some((word) => word === '--version' || word === '-V')) {
    return write(io.stdout, `${version}\n`)
  }
  const located = locate(argv)
  if (located.kind !== 'command' || asksForHelp(located.words)) return showHelp(located, argv, outside)
  const { name, leaf } = located
  const [{ default: command }, { parseArguments }] = await Promise.all([leaf.load(), import('./parse.ts')])
  const words = await completeWords(
    name,
    command,
    located.words,
    outside,
    await penFor('stderr', guessColor(located.words), outside),
  )
  const { args, options, flags } = parseArguments(`facescan ${name}`, command, words, env)
  const settings = chooseOutput(flags, env)
  await checkOutput(settings, command)
  const pens = {
    stdout: await penFor('stdout', flags.color, outside),
    stderr: await penFor('stderr', flags.color, outside),
  }
  const composition = {
    pens,
    outside,
    main,
    command: name,
    effect: command.effect,
    takesToken: command.takesToken,
    flags,
    paths: resolvePaths(env),
    settings,
  }
  await runIn(composition, (ctx) => command.run(ctx, args, options))
}

/** Help is for people, so only the command line itself, never FACESCAN_OUTPUT, turns it into JSON. */
async function showHelp(located: Located, argv: readonly string[], outside: Outside): Promise<void> {
  const machine = guessFormat(argv, {}) !== 'table'
  if (machine && located.kind === 'branch' && !asksForHelp(argv)) {
    throw new UsageError(
      `facescan ${located.name}: which one? ${Object.keys(located.branch.verbs).join(', ')}`,
    )
  }
  const [{ findPage }, { renderPage }] = await Promise.all([
    import('../manual/help/pages.ts'),
    import('../output/render-page.ts'),
  ])
  const page = await findPage(located.kind === 'root' ? [] : located.name.split(' '))
  const pen = await penFor('stdout', guessColor(argv), outside)
  const text = machine ? JSON.stringify(page, null, 2) : renderPage(page, pen)
  await write(outside.io.stdout, `${text}\n`)
}

/** A wrong field or filter is found before a command changes anything; one that only reads asks the reply what it knows. */
async function checkOutput(settings: OutputSettings, { effect, view }: Command): Promise<void> {
  if (settings.jq !== undefined) {
    const { checkJq } = await import('../output/jq.ts')
    await checkJq(settings.jq)
  }
  if (settings.fields !== undefined && effect !== 'read' && view) {
    const { checkFieldsOf } = await import('../output/fields.ts')
    checkFieldsOf(view, settings.fields)
  }
}

function penFor(stream: 'stdout' | 'stderr', color: ColorMode, { io, env, clock }: Outside): Promise<Pen> {
  return createPen({ stream: io[stream], env, color, now: () => clock.now() })
}

type Run = (ctx: ReturnType<typeof composeContext>['ctx']) => Promise<void>

async function runIn(composition: Composition, run: Run): Promise<void> {
  const { ctx, close } = composeContext(composition)
  try {
    await run(ctx)
  } catch (error) {
    if (!(error instanceof DryRunStop)) throw aboutSameService(error, composition.flags)
    await ctx.print(error.planned, plannedView)
  } finally {
    await close()
  }
}

async function report(error: unknown, argv: readonly string[], outside: Outside): Promise<number> {
  if (error instanceof ClosedPipe) return 0
  const known = reasonOf(error)
  const failure = known instanceof FacescanError ? known : unexpected(error, argv, outside)
  const pen = await penFor('stderr', guessColor(argv), outside)
  // Where nobody can be told, the exit code still says what happened.
  const { stderr } = outside.io
  await printError(failure, guessFormat(argv, outside.env), { stderr, pen }).catch(() => undefined)
  return failure.exitCode
}

/** Node tells in an error of its own that a stream was given up, and why in its cause. */
function reasonOf(error: unknown): unknown {
  return error instanceof Error && error.name === 'AbortError' ? error.cause : error
}

/** A bug: its message may quote data, so the person gets its kind and where the details are. */
function unexpected(error: unknown, argv: readonly string[], { env, clock }: Outside): FacescanError {
  const name = error instanceof Error ? error.name : typeof error
  const command = argv.filter((word) => Object.hasOwn(allNouns(), word)).join(' ')
  const file = writeCrashReport(error, { command, paths: resolvePaths(env), now: clock.now() })
  return new FacescanError('internal', `something unexpected went wrong inside facescan (${name})`, {
    hint: file
      ? `This is a bug. Please report it with ${file}, which holds no personal data.`
      : 'This is a bug. Please report it.',
    cause: error,
  })
}

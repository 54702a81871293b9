import { UsageError } from '../base/errors.ts'
import { type Environment, type Io, isOn } from '../base/io.ts'
import { isLink } from '../base/text.ts'
import type { ProcessEnvironment } from '../context/command-context.ts'
import type { Command } from '../framework/define-command.ts'
import { type GlobalFlags, globalOptions } from '../framework/global-flags.ts'
import { type Flag, type Options, parseText, readValue } from '../framework/options.ts'
import { userOptions } from '../framework/user.ts'
import type { Defaults } from '../profiles/settings.ts'
import { bindCommand } from './bind.ts'
import type { BoundLine } from './describe-excess.ts'
import type { Missing } from './describe-problems.ts'
import { isUserSelected, knownValue, readUser } from './read-user.ts'
import type { CommandLine } from './tokenize.ts'
import type { Words } from './words.ts'

export interface Parsed extends BoundLine {
  /** Arguments, options, and user, as `run` receives them. */
  input: Record<string, unknown>
  flags: GlobalFlags
  /** All error messages about the command line. Prompts ask for missing values only if this list is empty. */
  problems: readonly string[]
  missing: Missing
  isComplete: boolean
}

/** Loads the error texts. A valid command line does not need them. */
const loadTexts = () => import('./describe-problems.ts')
const loadExcess = () => import('./describe-excess.ts')

/** Parses a line whose command is known. Throws UsageError with all error messages, unless prompts can complete the line. */
export async function parse(
  name: string,
  command: Command,
  line: CommandLine,
  { io, env }: ProcessEnvironment,
  defaults: Defaults = {},
): Promise<Parsed & { canAsk: boolean }> {
  const parsed = await parseWords(name, command, line, env, defaults)
  const canAsk = isAskable(io, env, parsed.flags)
  if (parsed.isComplete || (canAsk && parsed.problems.length === 0)) return { ...parsed, canAsk }
  const { describeMissing, hintForFlags } = await loadTexts()
  const hint = hintForFlags(parsed.words, `facescan ${name}`)
  throw new UsageError([...describeMissing(command, parsed.missing), ...parsed.problems], { hint })
}

const nothingMissing: Missing = { args: [], flags: [] }

/** Whether prompts are possible: stdin and stderr are terminals, and no flag or variable disables prompts. */
export function isAskable(
  io: Io,
  env: Environment,
  { input, yes }: Pick<GlobalFlags, 'input' | 'yes'>,
): boolean {
  const isAllowed = input && !yes && !isOn(env['FACESCAN_NO_INPUT']) && !isOn(env['CI'])
  return isAllowed && Boolean(io.stderr.isTTY && io.stdin.isTTY)
}

export async function parseWords(
  name: string,
  command: Command,
  line: Pick<CommandLine, keyof Words | 'argv'>,
  env: Environment,
  defaults: Defaults = {},
): Promise<Parsed> {
  const words = bindCommand(name, command, line)
  const known: Command['options'] = { ...command.options, ...globalOptions }
  // Defaults from the profile are parsed like flags. FACESCAN_OUTPUT overrides the default format (see `chooseOutput`).
  const usual = Object.entries(defaults).flatMap(([key, text]) =>
    key === 'output' || text === undefined || !known[key] ? [] : [[key, [text]] as const],
  )
  const given: Words['given'] = { ...Object.fromEntries(usual), ...words.given }
  const isReadable = words.rest.length === 0 && words.valueless === undefined
  const problems = isReadable ? [] : (await loadTexts()).findFlagProblems(words, known)
  const options = readOptions(command.options, given, problems)
  const flags = readGlobals({ name, argv: line.argv, given }, command, problems)
  // If a command changes only files on this machine, a dry run has no request to show.
  const isLocalChange = command.effect === 'read' && command.localEffect !== 'read'
  if (flags.dryRun && isLocalChange) problems.push(`${name} does not support --dry-run`)
  const base = { name, argv: line.argv, words, flags, isComplete: false }
  // After a misspelled or incomplete flag, the next word may be the value that another flag or argument lacks, so missing values are not
  // reported.
  if (!isReadable) return { ...base, input: options, problems, missing: nothingMissing }
  const moved = command.moved?.(words.operands) ?? (await findReversed(command, words, env))
  if (moved) {
    const problem = (await loadTexts()).describeMoved(name, command, moved, given)
    return { ...base, input: {}, problems: [problem], missing: nothingMissing }
  }
  const { input, missing } = await readInput(command, { ...base, given, options, env }, problems)
  const { args, flags: required, user = missing.anyFlag } = missing
  const isComplete = problems.length + args.length + required.length === 0 && user === undefined
  return { ...base, problems, input, missing, isComplete }
}

/** The arguments in the correct order if the user comes after the argument, as in `summary physical 4711`. */
async function findReversed(command: Command, { operands, given }: Words, env: Environment) {
  const { user, args } = command
  const [argument, ...others] = Object.values(args)
  const [first, second, ...rest] = operands
  const isPair = first !== undefined && second !== undefined && others.length + rest.length === 0
  if (!user || !argument || argument.isRest || !isPair || isUserSelected(command, given, env))
    return undefined
  return knownValue(argument, second) === undefined
    ? (await loadTexts()).reverse(argument, first, second)
    : undefined
}

interface GivenValues extends BoundLine {
  given: Words['given']
  options: Record<string, unknown>
  env: Environment
}

/** Reads the user and the arguments of a line whose flags are valid. Returns the missing values, and adds error messages to `problems`. */
async function readInput(
  command: Command,
  line: GivenValues,
  problems: string[],
): Promise<Pick<Parsed, 'input' | 'missing'>> {
  const { words, given, options } = line
  const { user, problem, isMissing = false, own } = readUser(command, words, line.env)
  const id = user !== undefined && 'external_user_id' in user ? user.external_user_id : ''
  if (isLink(id)) throw (await import('../routes/unknown-command.ts')).refuseLink(id)
  const input = { ...options, ...readArguments(command, own, problems), user }
  const args = Object.entries(command.args)
  const isExcess = own.length > args.length && !args.some(([, { isRest }]) => isRest)
  if (isExcess) problems.push((await loadExcess()).describeExcess(line, command, own))
  const lacksFlag = command.needsFlag !== undefined && own.length === 0 && !isAnyFlagGiven(command, words)
  const missing: Missing = {
    user: isMissing ? problem : undefined,
    args: args
      .filter(([, { isRequired }]) => isRequired)
      .map(([key]) => key)
      .slice(own.length),
    flags: Object.keys(command.options).filter(
      (key) => command.options[key]?.required && given[key] === undefined,
    ),
    anyFlag: lacksFlag ? command.needsFlag : undefined,
  }
  // If the command runs for a list of users, each row is checked later, so the check is skipped here.
  const isList = command.many !== undefined && given['users'] !== undefined
  const isChecked = missing.args.length + missing.flags.length === 0 && !isList
  // Only flags on the command line are checked. A flag that gets its default from the profile may conflict with a flag on the command line.
  const typed = Object.entries(input).filter(
    ([key]) => given[key] === undefined || words.given[key] !== undefined,
  )
  if (isChecked) problems.push(...(command.check?.(Object.fromEntries(typed)) ?? []))
  if (problem !== undefined && !isMissing)
    problems.push((await loadExcess()).explainUser(problem, line, command))
  return { input, missing }
}

/**
 * Reads the global flags, except flags that the command defines itself, such as `--output` in `profiles set`. The short form of such a
 * flag is refused, because `-o json` would change the profile instead of the output.
 */
function readGlobals(
  { name, argv, given }: { name: string; argv: readonly string[]; given: Words['given'] },
  { options }: Command,
  problems: string[],
): GlobalFlags {
  const all = Object.entries<Flag>(globalOptions)
  const own = Object.fromEntries(all.filter(([key]) => !(key in options)))
  const flags = readOptions(own, given, problems) as GlobalFlags
  for (const [key, { short, long }] of all)
    if (key in options && argv.some((word) => short !== undefined && word.startsWith(short)))
      problems.push(`${short} cannot be used with ${name}, which has its own flag ${long}`)
  return flags
}

/** Whether the command line contains a flag of the command. Flags that select the user do not count. */
function isAnyFlagGiven({ options, user }: Command, { given }: Words): boolean {
  const ofUser = Object.keys(userOptions(user))
  return Object.keys(options).some((key) => given[key] !== undefined && !ofUser.includes(key))
}

function readOptions(options: Options, given: Words['given'], problems: string[]): Record<string, unknown> {
  const keys = Object.keys(options)
  return Object.fromEntries(keys.map((key) => [key, readOption(options, key, given, problems)]))
}

function readOption(options: Options, key: string, given: Words['given'], problems: string[]): unknown {
  const flag = options[key] as Flag
  const { kind, long, conflicts } = flag
  const texts = given[key]
  if (kind === 'toggle') return texts === true
  if (kind === 'negation') return texts !== true
  if (!Array.isArray(texts))
    return flag.default === undefined ? (flag.many ? [] : undefined) : flag.parse(flag.default)
  if (flag.once && texts.length > 1) problems.push(`${long} can be used only once`)
  if (conflicts !== undefined && given[conflicts] !== undefined)
    problems.push(`${long} and ${options[conflicts]?.long} cannot be used together`)
  return readValue(long, texts, flag, problems)
}

/** Reads the arguments of a command. The result contains each value by its key in `input`. */
function readArguments(command: Command, own: readonly string[], problems: string[]) {
  const values = Object.entries(command.args).map(([key, argument], index) => {
    const { name, isRest, parse = String } = argument
    const read = (text: string) => parseText(name, text, parse, problems)
    if (isRest) return [key, own.slice(index).map(read)]
    const text = own[index]
    return [key, text === undefined ? undefined : read(text)]
  })
  return Object.fromEntries(values)
}

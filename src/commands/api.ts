import { text } from 'node:stream/consumers'
import { ServiceError, systemReason, UsageError } from '../base/errors.ts'
import { readText } from '../base/files.ts'
import { parseJson, toJsonText } from '../base/json.ts'
import { alreadyPrinted, commandResult } from '../framework/command-result.ts'
import type { Context } from '../framework/context.ts'
import { defineCommand } from '../framework/define-command.ts'
import { argument, flag } from '../framework/options.ts'
import { oneOf } from '../framework/values.ts'
import { write } from '../output/write.ts'
import { checkUnselected } from '../profiles/session.ts'
import { markSave } from './mark-save.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const

function pathBelowBase(word: string): string {
  const climbs = word.split(/[/?#]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))
  // URL parsing silently removes or replaces these characters, so a path that contains them is refused.
  const isWhole = !/[\\#\p{Cc}]/v.test(word)
  if (word.startsWith('/') && !word.startsWith('//') && isWhole && !climbs) return word
  throw new UsageError(`"${word}" is not a valid path (example: /v2/users)`)
}

type ApiField = readonly [name: string, value: string]

function splitField(word: string): ApiField {
  const at = word.indexOf('=')
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)]
  throw new UsageError(`"${word}" is not a valid field (use name=value)`)
}

async function readFields(
  raw: readonly ApiField[],
  typed: readonly ApiField[],
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const names = [...raw, ...typed].map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new UsageError(`field ${twice} is set twice`)
  const fields = new Map<string, unknown>(raw)
  // Files are read one after another. If two fields use the same pipe, simultaneous reads would each get only a part of its data.
  for (const [name, value] of typed) fields.set(name, await readTyped(value, signal))
  return Object.fromEntries(fields)
}

/** Converts the text of a typed field to true, false, null, or a number. @file stands for the content of the file. */
async function readTyped(value: string, signal: AbortSignal): Promise<unknown> {
  if (value.startsWith('@')) return readFile('--field', value.slice(1), signal)
  return /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?)$/.test(value) ? parseJson(value) : value
}

function readFile(flag: string, file: string, signal: AbortSignal): Promise<string> {
  return readText(file, signal).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new UsageError(`${flag}: cannot read ${file} (${systemReason(cause)})`, { cause })
  })
}

/** Writes an image to stdout. Throws on a terminal, because image bytes can act as control sequences. */
async function writeImage(ctx: Context, image: Uint8Array): Promise<void> {
  if (!ctx.io.stdout.isTTY) return write(ctx.io.stdout, image)
  throw new UsageError('the response is an image and cannot be shown in a terminal', {
    hint: 'Redirect the output to a file.',
  })
}

async function readBody(ctx: Context, file: string): Promise<unknown> {
  // The text is not printed, because it can contain personal data.
  if (/^\s*[[{]/.test(file)) {
    throw new UsageError('--body: must be a file name or -, not JSON', {
      hint: 'Pipe the JSON to the command with --body -, or use -f and -F.',
    })
  }
  const content = file === '-' ? await text(ctx.io.stdin) : await readFile('--body', file, ctx.signal)
  try {
    return parseJson(content)
  } catch {
    throw new UsageError(`--body: ${file === '-' ? 'standard input' : file} is not valid JSON`)
  }
}

/** Suggests the command that lists all paths. The invalid path is not printed, because it can contain an ID. */
function suggestPaths(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.details.missing !== 'address') return error
  const hint = 'Check the path. List all paths of the API: facescan sandbox openapi --jq ".paths | keys[]"'
  return new ServiceError('not_found', error.message, { ...error.details, hint })
}

export default defineCommand({
  output: async () => {
    const { unknown } = await import('zod/mini')
    return unknown()
  },
  calls: 'any',
  effect: 'destroy',
  view: { text: (value) => toJsonText(value, 2) },
  takesToken: true,
  args: {
    method: argument('<method>', 'HTTP method', (word: string) => oneOf(methods)(word.toUpperCase()), {
      choices: methods,
    }),
    path: argument('<path>', 'path (such as /v2/users), optionally with a query', pathBelowBase),
  },
  options: {
    rawField: flag('-f, --raw-field <name=value>', 'text field', splitField, { many: true }),
    field: flag('-F, --field <name=value>', 'typed field: 70, true, null, @file', splitField, {
      many: true,
    }),
    body: flag('--body <file>', 'JSON body from a file, or - for standard input'),
  },
  description:
    'Calls an endpoint. Fields are sent as query parameters for GET and DELETE, and as a JSON body for POST and PUT.',
  examples: [
    'facescan api GET "/v2/users?external_user_id=4711"',
    'facescan api POST /v2/users -f external_user_id=4712 -f sex=F',
    'echo \'[{"lookup_key":"weight","value":80,"timezone":"UTC"}]\' | facescan api POST "/v2/questions/answer/many?external_user_id=4711" --body -',
  ],
  check: ({ body, rawField: raw, field }) =>
    body !== undefined && raw.length + field.length > 0 ? ['--body and fields cannot be used together'] : [],
  async run(ctx, { method, path: target, rawField: raw, field, body: file }) {
    const { pathname, searchParams } = new URL(`http://base${target}`)
    const query = Object.fromEntries(
      [...searchParams.keys()].map((name) => [name, searchParams.getAll(name)]),
    )
    const fields = await readFields(raw, field, ctx.signal)
    const inQuery = method === 'GET' || method === 'DELETE'
    const body = file === undefined ? fields : await readBody(ctx, file)
    // Checked before `ctx.api()`, because `ctx.api()` creates the sandbox. A refused change must not create the sandbox.
    if (method !== 'GET' && !ctx.flags.dryRun) checkUnselected(await ctx.session(), 'change', ctx.io)
    const api = await ctx.api()
    const call = () =>
      api.raw({
        method,
        path: pathname,
        query: { ...query, ...(inQuery ? fields : undefined) },
        body: inQuery || (file === undefined && Object.keys(fields).length === 0) ? undefined : body,
      })
    const savesAnswers = method === 'POST' && pathname.includes('/questions/answer')
    const sent = savesAnswers ? markSave(ctx, undefined, call) : call()
    const value = await sent.catch((error: unknown) => {
      throw suggestPaths(error)
    })
    if (value instanceof Uint8Array) await writeImage(ctx, value)
    const isPrinted = value === null || value instanceof Uint8Array
    const done = method === 'GET' ? undefined : `${method} request succeeded`
    return commandResult(isPrinted ? alreadyPrinted : value, { done })
  },
})

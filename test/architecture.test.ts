import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The house rules as tests. Each failure says which file breaks which rule and why the rule is there; a rule that is wrong is
 * changed here, in the open, and not worked around.
 */

interface Import {
  /** `src/http/client.ts`, `node:fs` or the name of a package. */
  target: string
  kind: 'value' | 'type' | 'lazy'
}

interface SourceFile {
  path: string
  text: string
  lines: string[]
  imports: Import[]
}

function resolveTarget(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith('node:')) return specifier
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function readImports(path: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^'"()]*?)\bfrom\s+'([^']+)'/gm)
  const fixed = [...statements].map(([, isType, names = '', specifier = '']): Import => {
    const parts = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
    const onlyTypes =
      Boolean(isType) || (names.includes('{') && parts.every((name) => name.startsWith('type ')))
    return { target: resolveTarget(path, specifier), kind: onlyTypes ? 'type' : 'value' }
  })
  const lazy = [...text.matchAll(/(typeof\s+)?\bimport\('([^']+)'\)/g)].map(
    ([, isType, specifier = '']): Import => {
      return { target: resolveTarget(path, specifier), kind: isType ? 'type' : 'lazy' }
    },
  )
  return [...fixed, ...lazy]
}

function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => {
      const text = readFileSync(path, 'utf8')
      return { path, text, lines: text.split('\n'), imports: readImports(path, text) }
    })
}

const sources = readSources('src')
const tests = readSources('test')
const isCommand = ({ path, text }: SourceFile) =>
  path.startsWith('src/commands/') && /^export default /m.test(text)
const commandFiles = new Set(sources.filter(isCommand).map(({ path }) => path))

function isPackage(target: string): boolean {
  return !target.startsWith('src/') && !target.startsWith('node:')
}

interface Rule {
  title: string
  why: string
  applies(file: SourceFile): boolean
  allows(imported: Import, file: SourceFile): boolean
}

const below =
  (...folders: string[]) =>
  (path: string) =>
    folders.some((folder) => path.startsWith(folder))
/** The files beside the folders are small and pure, but for those that put the program together. */
const composition = [
  'cli',
  'run',
  'compose',
  'context',
  'tree',
  'locate',
  'manual',
  'approval',
  'ask',
  'open-api',
].map((name) => `src/${name}.ts`)
const shared = (path: string) =>
  (dirname(path) === 'src' && !composition.includes(path)) || path === 'src/contract/values.ts'

const rules: Rule[] = [
  {
    title: 'contract knows only zod',
    why: 'client, sandbox, documents and tests derive from the contract, so it can depend on none of them',
    applies: ({ path }) => path.startsWith('src/contract/'),
    allows: ({ target }) => target === 'zod' || target.startsWith('src/contract/'),
  },
  {
    title: 'http knows the contract and never the sandbox, the commands or the output',
    why: 'the client must work against any service, and be tested without a terminal',
    applies: ({ path }) => path.startsWith('src/http/'),
    allows: ({ target, kind }) =>
      kind === 'type' ||
      isPackage(target) ||
      target.startsWith('node:') ||
      shared(target) ||
      below('src/http/', 'src/contract/')(target),
  },
  {
    title: 'the sandbox knows the contract and never the client',
    why: 'a client tested against a sandbox that shares its code would only agree with itself',
    applies: ({ path }) => path.startsWith('src/sandbox/'),
    allows: ({ target }) =>
      isPackage(target) ||
      target.startsWith('node:') ||
      shared(target) ||
      below('src/sandbox/', 'src/contract/')(target),
  },
  {
    title: 'output knows no HTTP',
    why: 'what is printed follows from a value and a view, wherever the value came from',
    applies: ({ path }) => path.startsWith('src/output/'),
    allows: ({ target }) =>
      isPackage(target) || target.startsWith('node:') || shared(target) || below('src/output/')(target),
  },
  {
    title: 'bulk takes the API, streams and clock as types',
    why: 'an import is rehearsed with any sender and any clock',
    applies: ({ path }) => path.startsWith('src/bulk/'),
    allows: ({ target, kind }) =>
      kind === 'type' ||
      isPackage(target) ||
      target.startsWith('node:') ||
      shared(target) ||
      below('src/bulk/')(target),
  },
  {
    title: 'commands use no package',
    why: 'a command says what it does; what it costs to load is decided behind the context',
    applies: ({ path }) => path.startsWith('src/commands/'),
    allows: ({ target }) => !isPackage(target),
  },
  {
    title: 'commands never import each other',
    why: 'what two commands share goes into a file of its own beside them',
    applies: ({ path }) => path.startsWith('src/commands/'),
    allows: ({ target }) => !commandFiles.has(target),
  },
  {
    title: 'commands reach the client, the sandbox and the program itself only through their context',
    why: 'the context builds them once and closes them, and a test can give a command another one',
    applies: ({ path }) => path.startsWith('src/commands/'),
    allows: ({ target, kind }) =>
      kind === 'type' ||
      !below(
        'src/http/',
        'src/sandbox/',
        'src/cli.ts',
        'src/run.ts',
        'src/compose.ts',
        'src/context.ts',
        'src/open-api.ts',
        'src/tree.ts',
      )(target),
  },
  {
    title: 'only the composition sees the commands',
    why: 'everything else would depend on the whole surface',
    applies: ({ path }) => !path.startsWith('src/commands/') && path !== 'src/tree.ts',
    allows: ({ target }) => !target.startsWith('src/commands/'),
  },
]

test.each(rules)('$title', ({ title, why, applies, allows }) => {
  const broken = sources
    .filter(applies)
    .flatMap((file) =>
      file.imports.filter((one) => !allows(one, file)).map(({ target }) => `${file.path} imports ${target}`),
    )
  expect(broken, `${title}, because ${why}.`).toEqual([])
})

/** A path of imports that comes back to where it started, types left out: they are gone at run time. */
function findCycle(): string[] {
  const edges = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.filter(({ kind }) => kind !== 'type').map(({ target }) => target),
    ]),
  )
  const finished = new Set<string>()
  const visit = (path: string, trail: string[]): string[] => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path]
    if (finished.has(path)) return []
    for (const next of edges.get(path) ?? []) {
      const cycle = visit(next, [...trail, path])
      if (cycle.length > 0) return cycle
    }
    finished.add(path)
    return []
  }
  return sources.map(({ path }) => visit(path, [])).find((cycle) => cycle.length > 0) ?? []
}

test('no file imports itself by a detour', () => {
  expect(findCycle(), 'These files cannot be understood, loaded or tested one without the other.').toEqual([])
})

test('files are short enough to be read at once', () => {
  const long = sources.filter(({ lines }) => lines.length > 300)
  expect(
    long.map(({ path, lines }) => `${path}: ${lines.length} lines`),
    'Split the file where it changes the subject; about 80 lines are usual, past 250 is rare.',
  ).toEqual([])
})

/** One list of steps or fields from top to bottom, easier to read whole than in parts. */
const longAndStraight = new Set(['composeContext', 'send', 'chooseProfile'])

/** Top-level functions with their lengths; the formatter puts the closing brace of one at the start of a line. Templates count as one line. */
function longFunctions({ path, text }: SourceFile): string[] {
  const lines = text.replace(/`[^`]*`/g, '``').split('\n')
  return lines.flatMap((line, start) => {
    const name = /^(?:export )?(?:default )?(?:async )?function\*? (\w+)/.exec(line)?.[1]
    if (name === undefined) return []
    const length = lines.slice(start).findIndex((other) => other.startsWith('}')) + 1
    return length > 55 && !longAndStraight.has(name) ? [`${path}: ${name} has ${length} lines`] : []
  })
}

test('functions are short', () => {
  expect(
    sources.flatMap(longFunctions),
    'Give the steps of the function names of their own; 40 lines are the end.',
  ).toEqual([])
})

/** The first text of every error that is made where its message is written down. */
function errorMessages({ path, text }: SourceFile): string[] {
  const made = text.matchAll(/new \w+Error\(\s*(?:'\w+',\s*)?\[?([`'"])(.*?)\1/gs)
  return [...made].map(([, , message]) => `${path}: ${message}`)
}

test('error messages begin in lower case and end without a full stop', () => {
  const names = 'Node|Kubernetes'
  const loud = new RegExp(`: (?!${names})[A-Z][a-z]|\\.$`)
  expect(
    sources.flatMap(errorMessages).filter((line) => loud.test(line)),
    'A message says what is wrong and where, as half a sentence after "error:"; the hint is the sentence that says what to do.',
  ).toEqual([])
})

/** The text of every remark that is written down where it is made: notes, warnings, and what stands for an empty list. */
function remarks({ path, text }: SourceFile): string[] {
  const made = text.matchAll(/(?:\b(?:note|warn)\(\s*\[?|'(?:note|warning)', |\bempty: )([`'"])(.*?)\1/gs)
  return [...made].map(([, , remark]) => `${path}: ${remark}`)
}

test('remarks begin in lower case and end without a full stop', () => {
  const loud = /: (?!Ctrl-C)[A-Z][a-z]|\.$|[a-z)}]\. /
  expect(sources.flatMap(remarks).length).toBeGreaterThan(30)
  expect(
    sources.flatMap(remarks).filter((line) => loud.test(line)),
    'A remark on stderr is half a sentence, as an error is; a second thought follows a semicolon.',
  ).toEqual([])
})

test('file names are words in kebab-case that say what is in the file', () => {
  const strange = [...sources, ...tests]
    .map(({ path }) => path)
    .filter(
      (path) =>
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|check|config|d))?\.ts$/.test(basename(path)) ||
        /\b(utils?|helper|manager|misc|common)\b/.test(basename(path)),
    )
  expect(strange, 'A file named after what it holds is found; "utils" holds anything.').toEqual([])
})

test('relative imports name the file with its ending', () => {
  const known = new Set([...sources, ...tests].map(({ path }) => path))
  const loose = sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ target }) => target.startsWith('src/') && !known.has(target))
      .map(({ target }) => `${path} imports ${target}`),
  )
  expect(loose, 'Node, the bundler and the type checker then agree on what is imported.').toEqual([])
})

test('only commands have a default export', () => {
  const others = sources.filter(
    ({ path, text }) => /^export default /m.test(text) && !path.startsWith('src/commands/'),
  )
  expect(
    others.map(({ path }) => path),
    'A named export has one name everywhere.',
  ).toEqual([])
})

test('every file below commands is a command of the tree or used by one', () => {
  const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ target }) => target)))
  const unused = sources.filter(({ path }) => path.startsWith('src/commands/') && !imported.has(path))
  expect(
    unused.map(({ path }) => path),
    'Add it to src/tree.ts, or remove it.',
  ).toEqual([])
})

test('only the entries touch the streams, arguments, environment and exit code of the process', () => {
  const entries = ['src/start.ts', 'src/run.ts', 'src/run-binary.ts']
  const forbidden = /\bprocess\.(argv|env|stdin|stdout|stderr|exit|exitCode|on|once)\b/
  const touching = sources.filter(
    ({ path, text }) => !entries.includes(path) && forbidden.test(text.replace(/`[^`]*`/g, '')),
  )
  expect(
    touching.map(({ path }) => path),
    'Take them from the context, so that a test can give others.',
  ).toEqual([])
})

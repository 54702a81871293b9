import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readSource, type SourceFile } from './sources.ts'
import { tower } from './tower.ts'

/** A project rule. `planted` contains files that violate the rule. The test uses them to check that the rule finds violations. */
export interface Rule {
  title: string
  why: string
  /** One line for each violation. */
  find(sources: readonly SourceFile[]): string[]
  planted: SourceFile | readonly SourceFile[]
}

const folderOf = (path: string): string => path.split('/')[1] ?? ''
const levelOf = (path: string): number => (tower as readonly string[]).indexOf(folderOf(path))
/** Whether a code import leads to an existing JSON file. The bundler and the type checker already check such imports. */
const isTextFile = (target: string) => target.endsWith('.json') && existsSync(target)

const isInside = (path: string): boolean => path.startsWith('src/')
const isPackage = (target: string): boolean => !isInside(target) && !target.startsWith('node:')

type Manifest = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8'))
const { devDependencies, optionalDependencies } = readManifest('package.json')
const listedPackages = new Set(Object.keys({ ...devDependencies, ...optionalDependencies }))

/** Whether an import statement uses the public part of a package: its name, or a path that its package.json lists in `exports`. */
function isPublic(target: string, specifier: string): boolean {
  if (specifier === target || !listedPackages.has(target)) return true
  const { exports = {} } = readManifest(`node_modules/${target}/package.json`)
  return Object.hasOwn(exports, `.${specifier.slice(target.length)}`)
}
const isCommand = ({ path, text }: SourceFile): boolean =>
  path.startsWith('src/commands/') && /^export default /m.test(text)

/** Creates a rule that checks each file separately. Each violation starts with the path of its file. */
function eachFile(find: (file: SourceFile) => string[]): Rule['find'] {
  return (sources) => sources.flatMap((file) => find(file).map((problem) => `${file.path}: ${problem}`))
}

function findUpwardImports({ path, imports }: SourceFile): string[] {
  return imports
    .filter(({ target }) => isInside(target) && folderOf(target) !== folderOf(path))
    .filter(({ target }) => levelOf(target) <= levelOf(path))
    .map(({ target }) => `imports ${target}, which is above it`)
}

type Edges = ReadonlyMap<string, readonly string[]>

/** The names along a cycle. The first and the last name are the same. Empty if there is no cycle. */
function findCycle(edges: Edges): string[] {
  const finished = new Set<string>()
  const visit = (name: string, trail: readonly string[]): string[] => {
    if (trail.includes(name)) return [...trail.slice(trail.indexOf(name)), name]
    if (finished.has(name)) return []
    for (const next of edges.get(name) ?? []) {
      const cycle = visit(next, [...trail, name])
      if (cycle.length > 0) return cycle
    }
    finished.add(name)
    return []
  }
  return [...edges.keys()].map((name) => visit(name, [])).find((cycle) => cycle.length > 0) ?? []
}

/** Finds a cycle of import statements. Type-only imports count, because a person who reads the code follows them too. */
function findFileCycle(sources: readonly SourceFile[]): string[] {
  return findCycle(new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)])))
}

/** The subfolder of a file, such as `src/bulk/send`. Undefined for a file that is directly in a folder such as `src/bulk`. */
function subfolderOf(path: string): string | undefined {
  return /^src\/[^/]+\/[^/]+(?=\/)/.exec(path)?.[0]
}

function findSubfolderCycle(sources: readonly SourceFile[]): string[] {
  const edges = new Map<string, string[]>()
  for (const { path, imports } of sources) {
    const from = subfolderOf(path)
    if (from === undefined) continue
    const targets = imports.map(({ target }) => subfolderOf(target)).filter((to) => to !== undefined)
    edges.set(from, [...(edges.get(from) ?? []), ...targets.filter((to) => to !== from)])
  }
  return findCycle(edges)
}

const maximumFileLines = 250
const maximumFunctionLines = 40

/** Matches a line that opens the body of a function, a method, or an arrow function, even at the end of a long signature. */
const opensBody = /^(?!\s*(?:\} else|\}? ?catch|if|for|while|switch|do|try)\b).*(?:=> \{|\)(?:: [^=]+)? \{)$/

/** Functions that are too long. A function ends at the next `}` with the same indentation. A template literal counts as one line. */
function findLongFunctions({ text }: SourceFile): string[] {
  const lines = text.replace(/`[^`]*`/g, '``').split('\n')
  return lines.flatMap((line, start) => {
    if (!opensBody.test(line)) return []
    const indent = /^ */.exec(line)?.[0] ?? ''
    const length = lines.slice(start).findIndex((other) => other.startsWith(`${indent}}`)) + 1
    return length > maximumFunctionLines ? [`the function in line ${start + 1} has ${length} lines`] : []
  })
}

/** Error messages that start with an uppercase letter or end with a period. Checks only the first literal of each error. */
function findLoudErrors({ text }: SourceFile): string[] {
  const made = text.matchAll(/new \w+Error\(\s*(?:'\w+',\s*)?\[?([`'"])(.*?)\1/gs)
  const names = 'Node|Kubernetes|Ctrl-C'
  const loud = new RegExp(`^(?!${names})[A-Z][a-z]|\\.$`)
  return [...made].map(([, , message = '']) => message).filter((message) => loud.test(message))
}

/** Notes and warnings that start with an uppercase letter, end with a period, or have several sentences. Checks only literals. */
function findLoudRemarks({ text }: SourceFile): string[] {
  const made = text.matchAll(/(?:\b(?:note|warn)\(\s*\[?|'(?:note|warning)', |\bempty: )([`'"])(.*?)\1/gs)
  const loud = /^(?!Ctrl-C)[A-Z][a-z]|\.$|[a-z)}]\. /
  return [...made].map(([, , remark = '']) => remark).filter((remark) => loud.test(remark))
}

function isBadName(path: string): boolean {
  const name = basename(path)
  return (
    !/^[a-z0-9]+(-[a-z0-9]+)*\.(d\.)?ts$/.test(name) || /\b(utils?|helper|manager|misc|common)\b/.test(name)
  )
}

/**
 * Files that load a module without a literal `import`: database.ts, because older type definitions do not contain node:sqlite, and
 * keyring.ts, which loads a package in another process.
 */
const otherLoaders = ['src/sandbox/database.ts', 'src/profiles/keyring.ts']

/** Folders whose files are allowed to use the streams, environment, and exit code of the process. */
const entries = ['src/start/']
const processParts =
  /\bprocess\.(argv|env|stdin|stdout|stderr|exit|exitCode|on|once)\b|'node:process'|\b(argv|env|std\w+|exit\w*|once?)\b[^\n]*\} = process$/m

export const rules: readonly Rule[] = [
  {
    title: 'src contains only the listed folders',
    why: 'a loose file has no place in the order, so nothing checks what it imports',
    find: eachFile(({ path }) =>
      path.split('/').length > 2 && levelOf(path) !== -1
        ? []
        : ['is not in a folder of test/architecture/tower.ts'],
    ),
    planted: readSource('src/loose.ts', ''),
  },
  {
    title: 'src is written in TypeScript',
    why: 'the types of other files are not checked',
    find: eachFile(({ path }) => (path.endsWith('.ts') ? [] : ['is not a .ts file'])),
    planted: readSource('src/base/zz.js', ''),
  },
  {
    title: 'no cycles, including type-only cycles',
    why: 'files in a cycle can only be understood together',
    find: findFileCycle,
    planted: [
      readSource('src/base/zy.ts', "import type { A } from './zz.ts'\n"),
      readSource('src/base/zz.ts', "import type { B } from './zy.ts'\n"),
    ],
  },
  {
    title: 'no cycles between the subfolders of a folder',
    why: 'each of them can then be read before the ones that use it',
    find: findSubfolderCycle,
    planted: [
      readSource('src/base/yy/zz.ts', "import type { A } from '../zz/aa.ts'\n"),
      readSource('src/base/zz/zz.ts', "import type { B } from '../yy/bb.ts'\n"),
    ],
  },
  {
    title: 'files import only src, Node, and the packages in package.json',
    why: 'the published program contains nothing else',
    find: eachFile(({ imports }) =>
      imports
        .filter(({ target }) => isPackage(target) && !listedPackages.has(target))
        .map(({ specifier }) => `imports ${specifier}`),
    ),
    planted: readSource('src/base/zz.ts', "import { facescan } from '../../test/helpers/facescan.ts'\n"),
  },
  {
    title: 'modules are loaded with import and a literal name',
    why: 'the bundler, the type checker, and these rules find no other module',
    find: eachFile(({ path, text }) =>
      !otherLoaders.includes(path) && /\bcreateRequire\(|\bimport\((?!\s*'|\.)/.test(text)
        ? ['loads a module in another way']
        : [],
    ),
    planted: readSource(
      'src/http/zz.ts',
      "createRequire(import.meta.url)('undici/lib/dispatcher/pool.js')\n",
    ),
  },
  {
    title: 'contract imports no package other than zod',
    why: 'the client, the sandbox, the documents and the tests are derived from the contract',
    find: eachFile(({ path, imports }) =>
      path.startsWith('src/contract/')
        ? imports.filter(({ target }) => isPackage(target) && target !== 'zod').map(({ target }) => target)
        : [],
    ),
    planted: readSource('src/contract/zz.ts', "import chalk from 'chalk'\n"),
  },
  {
    title: 'commands import no package other than zod',
    why: 'a command states what it does and the shape of its result; the folders below it choose the library',
    find: eachFile(({ path, imports }) =>
      path.startsWith('src/commands/')
        ? imports.filter(({ target }) => isPackage(target) && target !== 'zod').map(({ target }) => target)
        : [],
    ),
    planted: readSource('src/commands/zz.ts', "import chalk from 'chalk'\n"),
  },
  {
    title: 'commands do not import each other',
    why: 'code that two commands share belongs in a file of its own beside them',
    find: (sources) => {
      const commands = new Set(sources.filter(isCommand).map(({ path }) => path))
      return sources
        .filter(({ path }) => path.startsWith('src/commands/'))
        .flatMap(({ path, imports }) =>
          imports
            .filter(({ target }) => commands.has(target))
            .map(({ target }) => `${path} imports the command ${target}`),
        )
    },
    planted: readSource('src/commands/zz.ts', "import get from './users/get.ts'\n"),
  },
  {
    title: 'every file in commands is a command or is used by a command',
    why: 'an unused command cannot be run or tested; add it to src/routes/routes.ts or delete it',
    find: (sources) => {
      const imported = new Set(sources.flatMap(({ imports }) => imports.map(({ target }) => target)))
      return sources
        .map(({ path }) => path)
        .filter((path) => path.startsWith('src/commands/') && !imported.has(path))
    },
    planted: readSource('src/commands/zz.ts', ''),
  },
  {
    title: 'packages are imported by their public names',
    why: 'a private file of a package can change or disappear in any release',
    find: eachFile(({ imports }) =>
      imports
        .filter(({ target, specifier }) => isPackage(target) && !isPublic(target, specifier))
        .map(({ specifier }) => specifier),
    ),
    planted: ['undici/lib/dispatcher/pool.js', 'zod/v4/core/util.js'].map((specifier, index) =>
      readSource(`src/http/z${index}.ts`, `import { a } from '${specifier}'\n`),
    ),
  },
  {
    title: 'zod is imported as zod/mini',
    why: 'it loads in a third of the time, and schemas of the two kinds cannot be combined',
    find: eachFile(({ imports }) =>
      imports.some(({ specifier }) => specifier === 'zod') ? ['imports zod'] : [],
    ),
    planted: readSource('src/base/zz.ts', "import * as z from 'zod'\n"),
  },
  {
    title: 'only commands have a default export',
    why: 'a named export has the same name everywhere',
    find: eachFile(({ path, text }) =>
      /^export default /m.test(text) && !path.startsWith('src/commands/') ? ['has a default export'] : [],
    ),
    planted: readSource('src/base/zz.ts', 'export default 1\n'),
  },
  {
    title: `files have at most ${maximumFileLines} lines`,
    why: 'a longer file usually has two jobs; split it where the subject changes',
    find: eachFile(({ text }) => {
      const lines = text.split('\n').length - 1
      return lines > maximumFileLines ? [`${lines} lines`] : []
    }),
    planted: readSource('src/base/zz.ts', '\n'.repeat(maximumFileLines + 1)),
  },
  {
    title: `functions have at most ${maximumFunctionLines} lines`,
    why: 'the steps of a longer function deserve names',
    find: eachFile(findLongFunctions),
    planted: ['function zz() {', 'const zz = () => {', 'class Z {\n  async zz(a: A): Promise<B> {'].map(
      (start, index) =>
        readSource(
          `src/base/z${index}.ts`,
          `${start}\n${'    call()\n'.repeat(maximumFunctionLines)}  }\n}\n`,
        ),
    ),
  },
  {
    title: 'error messages start in lower case and end without a period',
    why: 'a message follows "error:"; the hint is a sentence',
    find: eachFile(findLoudErrors),
    planted: readSource('src/base/zz.ts', "throw new UsageError('Something is wrong.')\n"),
  },
  {
    title: 'notes and warnings start in lower case and end without a period',
    why: 'a note follows "note:", as a message follows "error:"',
    find: eachFile(findLoudRemarks),
    planted: readSource('src/base/zz.ts', "ctx.note('The file is big.')\n"),
  },
  {
    title: 'file names are kebab-case words that state the content',
    why: 'a file named after its content is found; "utils" can hold anything',
    find: eachFile(({ path }) => (isBadName(path) ? ['rename it'] : [])),
    planted: readSource('src/base/utils.ts', ''),
  },
  {
    title: 'relative imports name an existing file with its extension',
    why: 'Node, the bundler and the type checker then resolve the same file',
    find: (sources) => {
      const known = new Set(sources.map(({ path }) => path))
      return sources.flatMap(({ path, imports }) =>
        imports
          .filter(({ target }) => isInside(target) && !known.has(target) && !isTextFile(target))
          .map(({ target }) => `${path} imports ${target}`),
      )
    },
    planted: readSource('src/base/zz.ts', "import { a } from './missing'\n"),
  },
  {
    title: 'only src/start uses the streams, arguments, environment and exit code of the process',
    why: 'everything else takes them from the context, so that a test can pass its own',
    find: eachFile(({ path, text }) =>
      !entries.some((entry) => path.startsWith(entry)) && processParts.test(text.replace(/`[^`]*`/g, ''))
        ? ['uses process directly']
        : [],
    ),
    planted: ['process.exit(1)\n', 'const { env } = process\n', "import { env } from 'node:process'\n"].map(
      (text, index) => readSource(`src/base/z${index}.ts`, text),
    ),
  },
]

/** One import rule for each folder. The test of a rule adds a file that violates the rule, because it imports from the folder above. */
export const importRules: readonly Rule[] = tower.map((folder, level) => ({
  title: `${folder} imports only from the folders below it`,
  why: 'a reader of a folder needs to know only what is below it',
  find: eachFile((file) => (folderOf(file.path) === folder ? findUpwardImports(file) : [])),
  planted: readSource(
    `src/${folder}/zz.ts`,
    level === 0
      ? "import { a } from '../missing/a.ts'\n"
      : `import type { A } from '../${tower[level - 1]}/zz.ts'\n`,
  ),
}))

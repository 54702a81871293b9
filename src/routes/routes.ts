import { own } from '../base/functions.ts'
import type { Command } from '../framework/define-command.ts'

export interface Leaf {
  summary: string
  load(): Promise<{ default: Command }>
}

export interface Branch {
  summary: string
  verbs: Readonly<Record<string, Leaf>>
}

export type Nouns = Readonly<Record<string, Leaf | Branch>>

function leaf(summary: string, load: Leaf['load']): Leaf {
  return { summary, load }
}

function branch(summary: string, verbs: Branch['verbs']): Branch {
  return { summary, verbs }
}

/** All commands, grouped by the headings of the root help and in the order of the help. */
export const tree: Readonly<Record<string, Nouns>> = {
  'Manage users': {
    users: branch('create, show, update, and delete users', {
      create: leaf('create a user', () => import('../commands/users/create.ts')),
      get: leaf('show a user', () => import('../commands/users/get.ts')),
      update: leaf('update a user', () => import('../commands/users/update.ts')),
      import: leaf('create users from a file', () => import('../commands/users/import.ts')),
      delete: leaf('delete a user and their data', () => import('../commands/users/delete.ts')),
    }),
  },
  'Create links': {
    'scan-url': leaf('create a link to start a face scan', () => import('../commands/scan-url.ts')),
    'dashboard-url': leaf(
      'create a one-time link to the dashboard',
      () => import('../commands/dashboard-url.ts'),
    ),
    invite: leaf(
      'create many users and their scan links from a file',
      () => import('../commands/invite/invite.ts'),
    ),
    token: leaf('create an action token for a user', () => import('../commands/token.ts')),
  },
  'Read health data': {
    overview: leaf(
      'show a user, the last scan, and scores on one screen',
      () => import('../commands/overview/overview.ts'),
    ),
    biomarkers: branch('biomarkers from face scans', {
      list: leaf('list a user’s scans', () => import('../commands/biomarkers/list.ts')),
      latest: leaf('show the latest scans', () => import('../commands/biomarkers/latest.ts')),
      get: leaf('show a scan', () => import('../commands/biomarkers/get.ts')),
      compare: leaf(
        'compare average biomarkers in two time periods',
        () => import('../commands/biomarkers/compare.ts'),
      ),
    }),
    metrics: leaf('show a user’s six health metrics', () => import('../commands/metrics.ts')),
    wellbeing: leaf('show wellbeing scores', () => import('../commands/wellbeing.ts')),
    summary: leaf('show feedback and tips on wellbeing', () => import('../commands/summary.ts')),
    recommendations: leaf('show recommendations', () => import('../commands/recommendations.ts')),
  },
  'Save answers': {
    answers: branch('answers to health questions', {
      keys: leaf('list the lookup keys of the questions', () => import('../commands/answers/keys.ts')),
      list: leaf('list a user’s answers', () => import('../commands/answers/list.ts')),
      save: leaf('save answers for a user', () => import('../commands/answers/save.ts')),
      import: leaf('import answers from a file', () => import('../commands/answers/import.ts')),
    }),
    imports: branch('imports started on this machine', {
      list: leaf('list imports', () => import('../commands/imports/list.ts')),
      show: leaf('show an import', () => import('../commands/imports/show.ts')),
      resume: leaf('resume a stopped import', () => import('../commands/imports/resume.ts')),
      verify: leaf('compare an import with the saved answers', () => import('../commands/imports/verify.ts')),
      merge: leaf('combine the shard summaries of an import', () => import('../commands/imports/merge.ts')),
      remove: leaf('remove the record of an import', () => import('../commands/imports/remove.ts')),
    }),
  },
  'Set up and check': {
    profiles: branch('stored API keys and base URLs', {
      add: leaf('add a profile and its key', () => import('../commands/profiles/add.ts')),
      list: leaf('list profiles', () => import('../commands/profiles/list.ts')),
      show: leaf('show a profile', () => import('../commands/profiles/show.ts')),
      use: leaf('set the default profile', () => import('../commands/profiles/use.ts')),
      set: leaf('change the settings of a profile', () => import('../commands/profiles/set.ts')),
      unlock: leaf(
        'temporarily allow changes with a read-only profile',
        () => import('../commands/profiles/unlock.ts'),
      ),
      'move-key': leaf('move a key to another store', () => import('../commands/profiles/move-key.ts')),
      remove: leaf('remove a profile and its key', () => import('../commands/profiles/remove.ts')),
    }),
    status: leaf(
      'show the active profile and the sources of its settings',
      () => import('../commands/status.ts'),
    ),
    doctor: leaf('check the installation and configuration', () => import('../commands/doctor/doctor.ts')),
    history: branch('audit log of changes made from this machine', {
      list: leaf('list the latest changes', () => import('../commands/history/list.ts')),
    }),
  },
  'Sandbox and more': {
    demo: leaf('take a guided tour in a temporary sandbox', () => import('../commands/demo/demo.ts')),
    sandbox: branch('built-in simulation of the service', {
      serve: leaf('serve the sandbox over HTTP until Ctrl-C', () => import('../commands/sandbox/serve.ts')),
      scan: leaf('record synthetic scans for a user', () => import('../commands/sandbox/scan.ts')),
      key: leaf('print an API key for the sandbox', () => import('../commands/sandbox/key.ts')),
      status: leaf('show the contents of the sandbox', () => import('../commands/sandbox/status.ts')),
      reset: leaf('delete the data and keys of the sandbox', () => import('../commands/sandbox/reset.ts')),
      openapi: leaf('print the API as an OpenAPI document', () => import('../commands/sandbox/openapi.ts')),
    }),
    api: leaf('call an API endpoint', () => import('../commands/api.ts')),
    'ce-label': leaf('get the CE label image', () => import('../commands/ce-label.ts')),
    widgets: branch('show data for deprecated widgets', {
      biomarker: leaf('show data for a biomarker widget', () => import('../commands/widgets/biomarker.ts')),
      metric: leaf('show data for a metric widget', () => import('../commands/widgets/metric.ts')),
      graph: leaf('show data for a graph widget', () => import('../commands/widgets/graph.ts')),
    }),
    schema: leaf('describe the commands in machine-readable form', () => import('../commands/schema.ts')),
    completion: leaf('print a shell completion script', () => import('../commands/completion.ts')),
    help: leaf('show help for a command or topic', () => import('../commands/help.ts')),
  },
}

export const nouns: Nouns = Object.assign({}, ...Object.values(tree))

export type Located =
  | { kind: 'command'; name: string; leaf: Leaf }
  | { kind: 'branch'; name: string; branch: Branch }
  | { kind: 'root'; name: '' }

/** Returns the command or group at the start of the words. The words contain no flags. Returns undefined for an unknown command. */
export function findCommand([noun, verb]: readonly string[]): Located | undefined {
  if (noun === undefined) return { kind: 'root', name: '' }
  const node = own(nouns, noun)
  if (node === undefined) return undefined
  if (!('verbs' in node)) return { kind: 'command', name: noun, leaf: node }
  if (verb === undefined) return { kind: 'branch', name: noun, branch: node }
  const leaf = own(node.verbs, verb)
  return leaf && { kind: 'command', name: `${noun} ${verb}`, leaf }
}

/** All commands of the nouns with their full names, such as `users create` or `token`. */
export function leavesOf(some: Nouns): (readonly [name: string, leaf: Leaf])[] {
  return Object.entries(some).flatMap(([noun, node]) =>
    'verbs' in node
      ? Object.entries(node.verbs).map(([verb, leaf]) => [`${noun} ${verb}`, leaf] as const)
      : [[noun, node] as const],
  )
}

export interface LoadedCommand {
  /** Full name, such as `users create`. */
  name: string
  summary: string
  command: Command
}

export async function loadCommands(some = nouns): Promise<LoadedCommand[]> {
  const { withListFlags } = await import('../framework/many/options.ts')
  return Promise.all(
    leavesOf(some).map(async ([name, { summary, load }]) => {
      const { default: command } = await load()
      return { name, summary, command: withListFlags(command) }
    }),
  )
}

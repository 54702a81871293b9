import type { Command } from '../command/define-command.ts'

export interface Leaf {
  summary: string
  load(): Promise<{ default: Command }>
}

export interface Branch {
  summary: string
  verbs: Readonly<Record<string, Leaf>>
}

export interface Group {
  title: string
  nouns: Readonly<Record<string, Leaf | Branch>>
}

function leaf(summary: string, load: Leaf['load']): Leaf {
  return { summary, load }
}

/** The whole surface of the program, in the order of the root help. */
export const tree: readonly Group[] = [
  {
    title: 'Look after users',
    nouns: {
      users: {
        summary: 'create, look up, change and delete users',
        verbs: {
          create: leaf('create a user', () => import('../commands/users/create.ts')),
          get: leaf('show a user', () => import('../commands/users/get.ts')),
          update: leaf('change a user', () => import('../commands/users/update.ts')),
          delete: leaf('delete a user with all data', () => import('../commands/users/delete.ts')),
        },
      },
    },
  },
  {
    title: 'Hand out links',
    nouns: {
      'scan-url': leaf('get a link to the face scan', () => import('../commands/scan-url.ts')),
      'dashboard-url': leaf(
        'get a one-time link to the dashboard',
        () => import('../commands/dashboard-url.ts'),
      ),
      token: leaf('make an action token for one user', () => import('../commands/token.ts')),
    },
  },
  {
    title: 'Read health data',
    nouns: {
      biomarkers: {
        summary: 'biomarkers of face scans',
        verbs: {
          list: leaf('list the scans of a user', () => import('../commands/biomarkers/list.ts')),
          latest: leaf('show the latest scans', () => import('../commands/biomarkers/latest.ts')),
          get: leaf('show one scan', () => import('../commands/biomarkers/get.ts')),
          compare: leaf('compare two spans of time', () => import('../commands/biomarkers/compare.ts')),
        },
      },
      metrics: leaf('six health metrics with confidence', () => import('../commands/metrics.ts')),
      wellbeing: leaf('wellbeing scores and what they mean', () => import('../commands/wellbeing.ts')),
      summary: leaf('feedback and tip on a wellbeing profile', () => import('../commands/summary.ts')),
      recommendations: leaf('what the service recommends', () => import('../commands/recommendations.ts')),
    },
  },
  {
    title: 'Save answers',
    nouns: {
      answers: {
        summary: 'questions answered by or for users',
        verbs: {
          keys: leaf('list the lookup keys of all questions', () => import('../commands/answers/keys.ts')),
          list: leaf('list what a user has answered', () => import('../commands/answers/list.ts')),
          save: leaf('save one answer', () => import('../commands/answers/save.ts')),
          import: leaf('save the answers of a file', () => import('../commands/answers/import.ts')),
        },
      },
      imports: {
        summary: 'imports that were started on this machine',
        verbs: {
          list: leaf('list imports with their state', () => import('../commands/imports/list.ts')),
          show: leaf('show an import', () => import('../commands/imports/show.ts')),
          resume: leaf('go on with an import that stopped', () => import('../commands/imports/resume.ts')),
          merge: leaf('add up the summaries of all shards', () => import('../commands/imports/merge.ts')),
          remove: leaf('forget an import', () => import('../commands/imports/remove.ts')),
        },
      },
    },
  },
  {
    title: 'Set up and check',
    nouns: {
      profiles: {
        summary: 'API keys and the services they belong to',
        verbs: {
          add: leaf('add a profile with its key', () => import('../commands/profiles/add.ts')),
          list: leaf('list all profiles', () => import('../commands/profiles/list.ts')),
          show: leaf('show one profile', () => import('../commands/profiles/show.ts')),
          use: leaf('choose the default profile', () => import('../commands/profiles/use.ts')),
          set: leaf('change protection or address', () => import('../commands/profiles/set.ts')),
          unlock: leaf(
            'open a read-only profile for a while',
            () => import('../commands/profiles/unlock.ts'),
          ),
          'move-key': leaf('move a key to another store', () => import('../commands/profiles/move-key.ts')),
          remove: leaf('remove a profile with its key', () => import('../commands/profiles/remove.ts')),
        },
      },
      status: leaf('who the next command speaks as, and why', () => import('../commands/status.ts')),
      doctor: leaf('find out what is wrong on this machine', () => import('../commands/doctor/doctor.ts')),
      history: {
        summary: 'the audit log: the changes sent from this machine',
        verbs: {
          list: leaf('list the latest changes', () => import('../commands/history/list.ts')),
          verify: leaf('prove that no line was altered', () => import('../commands/history/verify.ts')),
        },
      },
    },
  },
  {
    title: 'Try, and the rest',
    nouns: {
      demo: leaf('a two-minute tour on a throw-away sandbox', () => import('../commands/demo/demo.ts')),
      sandbox: {
        summary: 'the whole service on this machine',
        verbs: {
          serve: leaf(
            'serve it over HTTP, with rehearsed faults if you like',
            () => import('../commands/sandbox/serve.ts'),
          ),
          scan: leaf('record synthetic scans of a user', () => import('../commands/sandbox/scan.ts')),
          key: leaf('print a key of the sandbox', () => import('../commands/sandbox/key.ts')),
          status: leaf('what the sandbox holds', () => import('../commands/sandbox/status.ts')),
          reset: leaf('empty the sandbox', () => import('../commands/sandbox/reset.ts')),
          openapi: leaf(
            'the interface as an OpenAPI document',
            () => import('../commands/sandbox/openapi.ts'),
          ),
        },
      },
      api: leaf('call any endpoint', () => import('../commands/api.ts')),
      'ce-label': leaf('get the CE label image', () => import('../commands/ce-label.ts')),
      widgets: {
        summary: 'deprecated widget data',
        verbs: {
          biomarker: leaf('data of a biomarker widget', () => import('../commands/widgets/biomarker.ts')),
          metric: leaf('data of a metric widget', () => import('../commands/widgets/metric.ts')),
          graph: leaf('data of a graph widget', () => import('../commands/widgets/graph.ts')),
        },
      },
      schema: leaf('describe every command to programs', () => import('../commands/schema.ts')),
      completion: leaf('complete commands in your shell', () => import('../commands/completion.ts')),
      help: leaf('explain a command or a topic', () => import('../commands/help.ts')),
    },
  },
]

export function isBranch(node: Leaf | Branch): node is Branch {
  return 'verbs' in node
}

/** The commands of some nouns with their full names: `users create`, or just `token`. */
export function leavesOf(nouns: Group['nouns']): (readonly [name: string, leaf: Leaf])[] {
  return Object.entries(nouns).flatMap(([noun, node]) =>
    isBranch(node)
      ? Object.entries(node.verbs).map(([verb, leaf]) => [`${noun} ${verb}`, leaf] as const)
      : [[noun, node] as const],
  )
}

export function allNouns(): Record<string, Leaf | Branch> {
  return Object.assign({}, ...tree.map((group) => group.nouns))
}

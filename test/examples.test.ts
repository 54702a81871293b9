import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseWords } from '../src/cli/parse.ts'
import command from '../src/commands/answers/import.ts'
import metrics from '../src/commands/metrics.ts'
import { withListFlags } from '../src/framework/many/options.ts'
import { chooseProfile } from '../src/profiles/choose-key.ts'
import { determineSession } from '../src/profiles/determine-session.ts'
import { decideChange } from '../src/profiles/guard.ts'
import { lineOf } from './helpers/line.ts'

const job = readFileSync(new URL('../examples/jobs/kubernetes.yaml', import.meta.url), 'utf8')
const words = [...job.matchAll(/^ {12}- ([^\s:]+)$/gm)].map(([, word = '']) => word)
const env = Object.fromEntries(
  [...job.matchAll(/- name: (FACESCAN_\w+)\n +value: (\S+)/g)].map(([, name = '', value]) => [name, value]),
)

test('the import of the Kubernetes example runs without a prompt', async () => {
  const name = 'answers import'
  const { flags } = await parseWords(name, command, lineOf(words), env)
  const file = { version: 1, profiles: {} } as const
  const choice = chooseProfile(flags, env, file)
  const session = determineSession({
    choice,
    file,
    credential: { kind: 'key', source: 'FACESCAN_API_KEY_FILE', fingerprint: 'abc' },
    moment: { now: 0, uptime: 0 },
  })
  const change = { effect: 'change', users: 24, summary: 'import answers' } as const
  const consent = { interactive: false, yes: flags.yes, confirm: flags.confirm }
  expect(decideChange(change, session, consent)).toEqual({ do: 'proceed' })
})

test('the Kubernetes example for a list of users has valid flags and writes a file for each shard', async () => {
  const text = readFileSync(new URL('../examples/jobs/users-kubernetes.yaml', import.meta.url), 'utf8')
  const words = [...text.matchAll(/^ {12}- (\S+)$/gm)].map(([, word = '']) => word)
  const { problems, missing, input } = await parseWords('metrics', withListFlags(metrics), lineOf(words), {})
  expect({ problems, missing }).toEqual({ problems: [], missing: { args: [], flags: [] } })
  expect(input).toMatchObject({ users: '/data/staff.csv', shard: 'auto', shardCount: 4 })
  expect(input['out']).toContain('$(JOB_COMPLETION_INDEX)')
})

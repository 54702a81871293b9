import { UsageError } from '../../base/errors.ts'
import type { Environment } from '../../base/io.ts'
import type { Shard } from '../../bulk/shard.ts'
import type { OptionRow, OptionValues } from '../../command/options.ts'
import { wholeNumber } from '../../command/values.ts'

/** Which part of the users this process imports. */
export const shardOptions = [
  [
    '--shard <k/n>',
    'import part k of n, split by user; auto takes k from a Kubernetes or Slurm task',
    { parse: namedShard },
  ],
  ['--shard-index <i>', 'the same, counted from 0: part i of --shard-count', { parse: wholeNumber }],
  ['--shard-count <n>', 'number of parts, for --shard-index and --shard auto', { parse: wholeNumber }],
] as const satisfies readonly OptionRow[]

export type ShardOptions = OptionValues<typeof shardOptions>

const maxShards = 65_536

function namedShard(text: string): Shard | 'auto' {
  if (text === 'auto') return 'auto'
  const match = /^(\d{1,5})\/(\d{1,5})$/.exec(text)
  const shard = match && { index: Number(match[1]) - 1, count: Number(match[2]) }
  if (shard && shard.index >= 0 && shard.index < shard.count) return shard
  throw new UsageError(`"${text}" is no shard (write 3/16 for the third of sixteen, or auto)`)
}

/** The shard that the options and, for `auto`, the scheduler's variables name; undefined for the whole input. */
export function chooseShard(options: ShardOptions, env: Environment): Shard | undefined {
  const { shard, shardIndex, shardCount } = options
  if (shard === 'auto') {
    if (shardIndex !== undefined) throw new UsageError('--shard auto and --shard-index cannot both be given')
    return inRange(fromScheduler(env, shardCount))
  }
  if (shard) {
    if (shardIndex === undefined && shardCount === undefined) return shard
    throw new UsageError('give either --shard or --shard-index with --shard-count')
  }
  if (shardIndex === undefined && shardCount === undefined) return undefined
  if (shardIndex === undefined || shardCount === undefined) {
    throw new UsageError('--shard-index and --shard-count belong together')
  }
  return inRange({ index: shardIndex, count: shardCount })
}

function inRange(shard: Shard): Shard {
  const { index, count } = shard
  if (count > maxShards) throw new UsageError(`an import has ${maxShards} shards at most, not ${count}`)
  if (index < count) return shard
  throw new UsageError(`shard index ${index} is not below the shard count ${count}; indexes begin with 0`)
}

function fromScheduler(env: Environment, count: number | undefined): Shard {
  const completion = read(env, 'JOB_COMPLETION_INDEX')
  if (completion !== undefined) {
    if (count !== undefined) return { index: completion, count }
    throw new UsageError('Kubernetes tells a pod its index but not how many there are', {
      hint: 'Give the completions of the job: --shard auto --shard-count 16',
    })
  }
  const task = read(env, 'SLURM_ARRAY_TASK_ID')
  if (task !== undefined) return count === undefined ? wholeArray(env, task) : { index: task, count }
  throw new UsageError('--shard auto finds neither JOB_COMPLETION_INDEX nor SLURM_ARRAY_TASK_ID', {
    hint: 'Outside an indexed job or a job array, name the shard: --shard 3/16',
  })
}

/** A job array without gaps. One that was submitted again for some tasks only would cut the input differently. */
function wholeArray(env: Environment, task: number): Shard {
  const [first, last, count] = ['MIN', 'MAX', 'COUNT'].map((name) => read(env, `SLURM_ARRAY_TASK_${name}`))
  if (first !== undefined && last !== undefined && count === last - first + 1 && count > 1 && first <= 1)
    return { index: task - first, count }
  throw new UsageError('the job array does not tell how many shards there are', {
    hint: 'Number its tasks from 0 without gaps and say how many there are: --shard auto --shard-count 16',
  })
}

function read(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${name} is no number: "${text}"`)
}

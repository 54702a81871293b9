import { UsageError } from '../../base/errors.ts'
import type { Environment } from '../../base/io.ts'
import type { Shard } from '../../bulk/shard.ts'

export interface ShardOptions {
  shard?: Shard | 'auto' | undefined
  shardIndex?: number | undefined
  shardCount?: number | undefined
}

const maxShards = 65_536

/** Returns the shard from the options. For `auto`, reads the variables of the scheduler. Returns undefined if no option is set. */
export function chooseShard(
  { shard, shardIndex: index, shardCount: count }: ShardOptions,
  env: Environment,
): Shard | undefined {
  if (shard !== undefined && index !== undefined)
    throw new UsageError('--shard and --shard-index cannot be used together')
  if (shard === 'auto') return inRange(fromScheduler(env, count))
  if (shard && count !== undefined)
    throw new UsageError('--shard-count can be used only with --shard auto or --shard-index')
  if (index !== undefined && count !== undefined) return inRange({ index, count })
  if (index === undefined && count === undefined) return shard && inRange(shard)
  throw new UsageError('--shard-index and --shard-count must be used together')
}

function inRange(shard: Shard): Shard {
  const { index, count } = shard
  if (count > maxShards) throw new UsageError(`a file can have at most ${maxShards} shards, got ${count}`)
  if (index < count) return shard
  throw new UsageError(
    `shard index ${index} must be less than the shard count (${count}); indexes start at 0`,
  )
}

function fromScheduler(env: Environment, count: number | undefined): Shard {
  const completion = read(env, 'JOB_COMPLETION_INDEX')
  if (completion !== undefined) {
    if (count !== undefined) return { index: completion, count }
    throw new UsageError('Kubernetes sets the index of a pod, but not the number of pods', {
      hint: 'Set the shard count to the `completions` value of the job, for example: --shard auto --shard-count 16',
    })
  }
  const task = read(env, 'SLURM_ARRAY_TASK_ID')
  if (task !== undefined) return count === undefined ? wholeArray(env, task) : { index: task, count }
  throw new UsageError('--shard auto needs JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID, and neither is set', {
    hint: 'Outside a Kubernetes indexed job or a Slurm job array, set the shard: --shard 3/16',
  })
}

/** Throws if the task numbers of a job array have gaps, because the array can be a rerun of only some tasks. */
function wholeArray(env: Environment, task: number): Shard {
  const [first, last, count] = ['MIN', 'MAX', 'COUNT'].map((name) => read(env, `SLURM_ARRAY_TASK_${name}`))
  const isWhole = first !== undefined && last !== undefined && count === last - first + 1 && count > 1
  if (isWhole && first <= 1 && task >= first) return { index: task - first, count }
  throw new UsageError('cannot determine the number of shards from the Slurm job array', {
    hint: 'Number the tasks of the job array from 0 without gaps, and set the number of shards: --shard auto --shard-count 16',
  })
}

function read(env: Environment, name: string): number | undefined {
  const text = env[name]
  if (!text) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${name} is not a number: "${text}"`)
}

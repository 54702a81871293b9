import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'

/** A Slurm cluster with one node: this machine, on loopback addresses. All of its files are in one directory. */
export interface Cluster {
  env: Record<string, string>
  submit(
    script: string,
    options: readonly string[],
    env: Record<string, string>,
    words?: readonly string[],
  ): number
  /** State of every task of a job array, by index. */
  states(job: number): Map<number, string>
  control(...words: string[]): void
  cancel(...words: string[]): void
  stop(): Promise<void>
}

export const canRunSlurm = process.platform === 'linux' && userInfo().uid === 0 && hasProgram('slurmctld')

function hasProgram(name: string): boolean {
  return spawnSync('which', [name]).status === 0
}

export async function startCluster(folder: string, tasks: number): Promise<Cluster> {
  // The system user named `munge` must be able to reach its own directory inside this directory.
  chmodSync(folder, 0o755)
  for (const name of ['state', 'spool', 'munge']) mkdirSync(join(folder, name), { mode: 0o755 })
  const host = hostname().split('.')[0] ?? 'localhost'
  const socket = join(folder, 'munge/socket')
  const config = join(folder, 'slurm.conf')
  writeFileSync(config, settings({ folder, host, socket, tasks }))
  const env = { PATH: process.env['PATH'] ?? '', SLURM_CONF: config }
  const daemons = [startMunge(folder, socket)]
  await until(() => spawnSync('munge', ['-n', '-S', socket]).status === 0, 'munge answers')
  daemons.push(spawn('slurmctld', ['-D', '-c'], { env, stdio: 'ignore' }))
  daemons.push(spawn('slurmd', ['-D', '-N', host], { env, stdio: 'ignore' }))
  const run = (program: string, words: readonly string[]) => {
    return execFileSync(program, words, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }
  const isIdle = () =>
    spawnSync('sinfo', ['-h', '-o', '%t'], { env, encoding: 'utf8' }).stdout.startsWith('idle')
  await until(isIdle, 'the node is idle')
  return {
    env,
    submit: (script, options, more, args = []) => {
      const words = ['--parsable', `--chdir=${folder}`, ...options, script, ...args]
      const output = execFileSync('sbatch', words, { env: { ...env, ...more }, encoding: 'utf8' })
      return Number.parseInt(output, 10)
    },
    states: (job) => {
      const rows = run('squeue', ['-h', '-r', '--states=all', '-j', String(job), '-o', '%K %T'])
        .trim()
        .split('\n')
      return new Map(rows.map((row) => row.split(' ')).map(([index, state = '']) => [Number(index), state]))
    },
    control: (...words) => void run('scontrol', words),
    cancel: (...words) => void run('scancel', words),
    async stop() {
      for (const daemon of daemons.reverse()) {
        daemon.kill('SIGTERM')
        await Promise.race([new Promise((ended) => daemon.once('exit', ended)), wait(10_000)])
      }
    },
  }
}

/** Starts munged as the user munge. As root, munged refuses a key or socket of another user. */
function startMunge(folder: string, socket: string) {
  const own = join(folder, 'munge')
  const key = join(own, 'key')
  writeFileSync(key, crypto.getRandomValues(new Uint8Array(1024)), { mode: 0o400 })
  const [uid, gid] = ['-u', '-g'].map((flag) =>
    Number(execFileSync('id', [flag, 'munge'], { encoding: 'utf8' })),
  )
  for (const path of [own, key]) chownSync(path, uid ?? 0, gid ?? 0)
  const files = [
    `--key-file=${key}`,
    `--socket=${socket}`,
    `--pid-file=${own}/pid`,
    `--seed-file=${own}/seed`,
  ]
  return spawn('munged', ['--foreground', '--force', ...files, `--log-file=${own}/log`], {
    uid,
    gid,
    stdio: 'ignore',
  })
}

function settings({
  folder,
  host,
  socket,
  tasks,
}: {
  folder: string
  host: string
  socket: string
  tasks: number
}) {
  return `
ClusterName=rehearsal
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=26817
SlurmdPort=26818
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=${socket},cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=3600
StateSaveLocation=${folder}/state
SlurmdSpoolDir=${folder}/spool
SlurmctldLogFile=${folder}/slurmctld.log
SlurmdLogFile=${folder}/slurmd.log
SlurmctldPidFile=${folder}/slurmctld.pid
SlurmdPidFile=${folder}/slurmd.pid
MpiDefault=none
NodeName=${host} NodeAddr=127.0.0.1 CPUs=${tasks}
PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=YES
`
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Waits for an event outside this process, at most a minute. */
export async function until(isSo: () => boolean, what: string, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await wait(200)
  }
}

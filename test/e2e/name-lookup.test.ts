import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { needs } from '../helpers/needs.ts'

/** The test mounts a file over /etc/resolv.conf, so that name lookups wait for a server that never responds. Mounting needs privileges. */
const programs = needs('unshare', 'mount')
const canMount =
  !programs.missing &&
  spawnSync(programs.path.unshare, ['--mount', programs.path.mount, '--make-rprivate', '/']).status === 0

const answersFile = 'external_user_id,lookup_key,value,timezone\n4711,height,171,UTC\n'

test.skipIf(!canMount).each([
  ['users get --external-user-id 4711', 'SIGINT', 130],
  ['answers import answers.csv', 'SIGINT', 130],
  ['users get --external-user-id 4711', 'SIGTERM', 143],
] as const)('"%s" exits at once after one %s during a DNS lookup', async (line, signal, exitCode) => {
  const home = temporaryFolder()
  const nameServers = join(home, 'resolv.conf')
  writeFileSync(nameServers, 'nameserver 192.0.2.1\noptions timeout:30 attempts:5\n')
  writeFileSync(join(home, 'answers.csv'), answersFile)
  const mounted = `mount --bind '${nameServers}' /etc/resolv.conf && exec "$@"`
  const command = [process.execPath, resolve('bin/facescan.js'), ...line.split(' '), '--debug']
  const child = spawn(programs.path.unshare, ['--mount', 'sh', '-c', mounted, 'sh', ...command], {
    cwd: home,
    env: {
      PATH: programs.PATH,
      HOME: home,
      FACESCAN_API_KEY: 'k'.repeat(40),
      FACESCAN_BASE_URL: 'https://api.example.com',
    },
  })
  let stderr = ''
  for await (const chunk of child.stderr) {
    stderr += chunk
    if (stderr.includes('GET')) break
  }
  child.kill(signal)
  const [code, name] = await once(child, 'exit')
  // If a signal ends a process, a shell reports exit code 128 plus the number of the signal.
  expect(code ?? 128 + constants.signals[name as 'SIGINT']).toBe(exitCode)
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { hang, hostileServer } from '../helpers/hostile-server.ts'

test.each([
  ['--max-time 500ms', '--max-time'],
  ['--timeout 100ms --retries 0', 'Allow more time with --timeout'],
])('a command that is not done within %s fails, and says what to do', async (limit, hint) => {
  const server = await hostileServer(() => hang())
  const words = ['users', 'get', '--external-user-id', '4711', ...limit.split(' ')]
  const child = spawn(process.execPath, [resolve('bin/facescan.js'), ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: temporaryFolder(),
      FACESCAN_API_KEY: 'k'.repeat(40),
      FACESCAN_BASE_URL: server.url,
    },
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  expect(await once(child, 'close')).toEqual([9, null])
  expect(said).toContain(hint)
  await server.close()
})

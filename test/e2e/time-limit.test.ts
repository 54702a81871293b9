import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/folder.ts'
import { hang, hostileServer } from '../helpers/hostile-server.ts'

test('a command that is not done in the time allowed fails', async () => {
  const server = await hostileServer(() => hang())
  const words = ['users', 'get', '--external-user-id', '4711', '--max-time', '500ms']
  const child = spawn(process.execPath, [resolve('bin/facescan.js'), ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: temporaryFolder(),
      FACESCAN_API_KEY: 'k'.repeat(40),
      FACESCAN_BASE_URL: server.url,
    },
  })
  expect(await once(child, 'exit')).toEqual([9, null])
  await server.close()
})

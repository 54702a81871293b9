import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../../helpers/facescan.ts'
import { reply, serve, wait } from '../../helpers/hostile-server.ts'

const { facescan, home } = createMachine()
const removedLine = /[^\n]*\r\x1b\[2K/g

test('the progress line is removed before the error of a user is printed', async () => {
  const server = await serve(({ target }) => [
    wait(target.includes('late') ? 900 : 500),
    reply(404, { detail: 'unknown' }),
  ])
  const path = join(home, 'staff.csv')
  writeFileSync(path, 'external_user_id\nearly\nlate\n')
  const { stderr } = await facescan(`metrics --users ${path}`, {
    terminal: true,
    env: { FACESCAN_BASE_URL: server.url, FACESCAN_API_KEY: 'k'.repeat(40) },
  })
  expect(stderr).toMatch(/\d+ of 2 users(?! failed).*in flight/)
  expect(stderr.replaceAll(removedLine, '')).not.toContain('in flight')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/server.ts'
import { createMachine } from '../helpers/facescan.ts'

// spec 9:2
test('"users update" and "users delete" accept a user ID on the current API revision', async () => {
  const { facescan, home } = createMachine()
  const database = join(home, 'current.sqlite')
  const sandbox = await startSandbox({ strict: true, database, revision: 'current' })
  const env = { FACESCAN_BASE_URL: sandbox.url, FACESCAN_API_KEY: sandbox.keys.development.key }
  const run = async (line: string) => {
    const ran = await facescan(line, { env })
    expect(ran.exitCode, ran.stderr).toBe(0)
    return ran.stdout
  }
  const create = async (id: string) => JSON.parse(await run(`users create ${id} --json=user_id`)).user_id
  const [first, second] = [await create('r1'), await create('r2')]
  const updated = await run(`users update --user-id ${first} --language nl --json=language`)
  expect(JSON.parse(updated)).toEqual({ language: 'nl' })
  await run(`users delete --user-id ${first} --yes`)
  const file = join(home, 'current.csv')
  writeFileSync(file, `user_id\n${second}\n`)
  await run(`users delete --users ${file} --confirm=1`)
  for (const id of ['r1', 'r2']) expect((await facescan(`users get ${id}`, { env })).exitCode).toBe(4)
  await sandbox.close()
})

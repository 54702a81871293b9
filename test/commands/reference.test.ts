import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStore } from '../../src/sandbox/index.ts'
import { recordScans } from '../../src/sandbox/synthetic.ts'
import { createMachine } from '../helpers/facescan.ts'
import { startService } from '../helpers/service.ts'

const reference = /Zone|higher is better|above average|at rest|not by the service|not the service,/

test('reference zones and directions are printed only if "profiles set --reference" has enabled them (spec 2.3, 2.3a)', async () => {
  const service = await startService()
  const machine = createMachine({ FACESCAN_PROFILE: 'ACME-DEV' })
  const keyFile = join(machine.home, 'key')
  writeFileSync(keyFile, service.keys.development.key, { mode: 0o600 })
  await machine.facescan(`profiles add ACME-DEV --base-url ${service.url} --key-file ${keyFile}`)
  await machine.facescan('users create 4711')
  const store = await openStore(service.database)
  recordScans(store, { user: { external_user_id: '4711' }, count: 9, days: 9, seed: 1, now: Date.now() })
  store.close()
  const shown = async () => {
    const lines = ['biomarkers latest 4711', 'biomarkers list 4711 --chart', 'metrics 4711']
    const ran = await Promise.all(
      lines.map((line) => machine.facescan(line, { terminal: true, columns: 120 })),
    )
    expect(ran.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    return ran.map(({ stdout, stderr }) => reference.test(stdout + stderr))
  }
  expect(await shown()).toEqual([false, false, false])
  await machine.facescan('profiles set ACME-DEV --reference on')
  expect(await shown()).toEqual([true, true, true])
  const { stdout } = await machine.facescan('profiles show ACME-DEV --json=reference')
  expect(JSON.parse(stdout)).toEqual({ reference: true })
  await machine.facescan('profiles set ACME-DEV --reference off')
  expect(await shown()).toEqual([false, false, false])
  await service.close()
})

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runsAll } from '../helpers/sample.ts'

test.runIf(runsAll)('the screenshots in the README show the current output', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/screens/main.js', '--check'], {
    encoding: 'utf8',
  })
  expect(status, `${stdout}${stderr}Run "npm run generate", look at the pictures, and commit them`).toBe(0)
})

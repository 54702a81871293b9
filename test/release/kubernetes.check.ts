import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { installTools, runTool, toolFolder } from './tools.ts'

beforeAll(installTools)

/** Parses a job as YAML 1.1, like Kubernetes. In YAML 1.1, 0400 is an octal number. */
const validate = `
  import { readFileSync } from 'node:fs'
  import { parse } from 'yaml'
  import { Job } from 'kubernetes-models/batch/v1'
  const job = parse(readFileSync(0, 'utf8'), { version: '1.1' })
  new Job(job).validate()
  console.log(JSON.stringify(job))`

/** Checks a job with the validators of the Kubernetes API. Checks its field names with the types of the API. */
function check(text: string): void {
  const words = ['--input-type=module', '--eval', validate]
  const json = execFileSync('node', words, { cwd: toolFolder, input: text, encoding: 'utf8', stdio: 'pipe' })
  const folder = mkdtempSync(join(toolFolder, 'job-'))
  const file = join(folder, 'job.ts')
  writeFileSync(
    file,
    `import type { IJob } from 'kubernetes-models/batch/v1'\nexport const job: IJob = ${json}`,
  )
  runTool('tsc', '--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', file)
}

test.each(['kubernetes.yaml', 'users-kubernetes.yaml'])('%s is a valid Kubernetes job', (name) => {
  const text = readFileSync(new URL(`../../examples/jobs/${name}`, import.meta.url), 'utf8')
  check(text)
  expect(() => check(text.replace('completionMode', 'completionMod'))).toThrow('completionMod')
  expect(() => check(text.replace('values: [3, 5]', 'values: 3'))).toThrow('must be array')
})

import { spawnSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { setup, skippedFile } from '../environment.ts'
import { temporaryFolder } from './folder.ts'
import { needs } from './needs.ts'

/** Simulates a machine on which the program `planted` is installed. */
beforeEach(() => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'planted'), '#!/bin/sh\necho started\n')
  chmodSync(join(folder, 'planted'), 0o755)
  for (const name of ['TMPDIR', skippedFile, 'FACESCAN_TEST_PROGRAMS']) vi.stubEnv(name, undefined)
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env['PATH']}`)
  onTestFinished(() => void vi.unstubAllEnvs())
})

function start(program: string, path = process.env['PATH']): string {
  const result = spawnSync(program, { env: { PATH: path }, encoding: 'utf8' })
  return result.error ? 'not found' : result.stdout
}

function startRun(): void {
  expect(start('planted')).toBe('started\n')
  onTestFinished(setup())
}

describe.skipIf(process.platform === 'win32')('in a test run', () => {
  test('a test cannot start an installed program by its name without needs()', () => {
    startRun()
    expect(start('planted')).toBe('not found')
    expect(spawnSync('sh', ['-c', 'planted'], { encoding: 'utf8' }).status).toBe(127)
  })

  test('needs() returns the path of an installed program and a PATH for scripts', () => {
    startRun()
    const programs = needs('planted')
    expect(programs.missing).toBe('')
    expect(start(programs.path.planted)).toBe('started\n')
    expect(start('planted', programs.PATH)).toBe('started\n')
  })

  test('needs() reports a missing program once and returns no path for it', () => {
    startRun()
    const programs = needs('planted', 'absent')
    expect(programs.missing).toBe('absent')
    expect(() => programs.path).toThrow('skip this test: absent is not installed')
    expect(() => programs.PATH).toThrow('skip this test: absent is not installed')
    const report = process.env[skippedFile] ?? ''
    expect(readFileSync(report, 'utf8')).toBe('skipped in test/helpers/needs.test.ts: absent not installed\n')
    rmSync(report)
  })
})

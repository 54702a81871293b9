import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSteps } from '../../src/commands/demo/stage.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { createMachine } from '../helpers/facescan.ts'
import { temporaryFolder } from '../helpers/folder.ts'
import { openPty } from '../helpers/pty.ts'

const steps = readSteps()

test('the demo prints each command before its output and deletes its sandbox', () => {
  const [home, scratch] = [temporaryFolder(), temporaryFolder()]
  const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/facescan.js', 'demo'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: scratch, FACESCAN_API_KEY: 'must-not-be-used' },
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const positions = steps.flatMap(({ lines }) => lines).map((line) => stdout.indexOf(`$ ${line}\n`))
  expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  expect(positions).not.toContain(-1)
  // The note about a link must come after the link.
  expect(stdout).not.toMatch(/\$ facescan (scan|dashboard)-url .*\n· /)
  expect(stdout).toContain('213 of 216 answers accepted, 3 rejected')
  expect(stdout).toMatch(/[ULNG]{3}: physical (unknown|suboptimal|average|optimal), mental/)
  expect(stdout).not.toContain('\x1b')
  expect(stdout).not.toContain('must-not-be-used')
  // The demo deletes its sandbox, so the links could not be opened with "sandbox serve" later.
  expect(stdout).not.toContain('facescan sandbox serve')
  // Newer versions of Node store compiled code in .cache for a faster start, so this directory is ignored.
  expect(readdirSync(home).filter((name) => name !== '.cache')).toEqual([])
  expect(readdirSync(scratch)).toEqual([])
})

test('the demo on a color terminal prints each command once and waits for Enter between steps', async () => {
  const home = temporaryFolder()
  const pty = openPty(process.execPath, ['bin/facescan.js', 'demo'], { rows: 24, env: { HOME: home } })
  try {
    for (const [index] of steps.entries()) {
      if (index > 0) await pty.waitFor(new RegExp(`Press Enter for step ${index + 1} of ${steps.length}`))
      if (index > 0) pty.type('\r')
    }
    await pty.waitFor(/Press Enter to end the tour/)
    pty.type('\r')
    expect(await pty.ended).toBe(0)
    const text = pty.screen().join('\n')
    const shown = text.replace(/ \\\n +/g, ' ')
    for (const line of steps.flatMap(({ lines }) => lines)) {
      expect(shown.split(`$ ${line}\n`)).toHaveLength(2)
    }
    expect(text).not.toContain('\n\n\n')
    expect(pty.raw()).toContain('\x1b[32m$\x1b[39m \x1b[1mfacescan scan-url')
  } finally {
    pty.close()
  }
})

test('Ctrl-C at a prompt stops the demo and deletes its files', async () => {
  const [home, scratch] = [temporaryFolder(), temporaryFolder()]
  const env = { HOME: home, TMPDIR: scratch }
  const pty = openPty(process.execPath, ['bin/facescan.js', 'demo'], { env })
  try {
    await pty.waitFor(/Press Enter for step 2/)
    pty.type('\x03')
    expect(await pty.ended).toBe(130)
    expect(pty.screen().at(-1)).toBe('✗ interrupted')
    expect(readdirSync(scratch)).toEqual([])
  } finally {
    pty.close()
  }
})

test('the demo can go back, skip a step, and start at a later step', async () => {
  const home = temporaryFolder()
  const pty = openPty(process.execPath, ['bin/facescan.js', 'demo', '--from', '4'], {
    rows: 60,
    env: { HOME: home },
  })
  try {
    await pty.waitFor(/Press Enter for step 5/)
    expect(pty.screen().join('\n')).not.toContain('1 Create a user')
    pty.type('\r')
    await pty.waitFor(/Press Enter for step 6/)
    pty.type('b\r')
    await pty.waitFor(/Press Enter for step 5.*Press Enter for step 5/s)
    expect(
      pty
        .screen()
        .join('\n')
        .match(/4 Record thirty days of scans/g),
    ).toHaveLength(2)
    pty.type('s\r')
    await pty.waitFor(/Press Enter for step 6.*skipped step 5: Read the biomarkers.*Press Enter for step 6/s)
    expect(
      pty
        .screen()
        .join('\n')
        .match(/── 5 Read the biomarkers/g),
    ).toHaveLength(1)
    pty.type('\x03')
    expect(await pty.ended).toBe(130)
    expect(pty.screen().join('\n')).toContain('to resume the tour: facescan demo --from 6')
  } finally {
    pty.close()
  }
})

test('the demo does not run a step again after the user goes back and forward', async () => {
  const step = steps.findIndex(({ lines }) => lines.some((line) => line.includes('--skip-invalid'))) + 1
  const pty = openPty(process.execPath, ['bin/facescan.js', 'demo', '--from', String(step)], {
    rows: 90,
    env: { HOME: temporaryFolder() },
  })
  const prompt = `Press Enter for step ${step + 1}`
  try {
    await pty.waitFor(new RegExp(prompt))
    pty.type('b\r')
    await pty.waitFor(new RegExp(`Press Enter for step ${step} `))
    pty.type('\r')
    await pty.waitFor(new RegExp(`${prompt}[\\s\\S]*213 of 216 answers accepted[\\s\\S]*${prompt}`))
  } finally {
    pty.close()
  }
})

test('after an unknown input, or "b" at the first step, the demo shows the possible inputs', async () => {
  const pty = openPty(process.execPath, ['bin/facescan.js', 'demo'], {
    rows: 60,
    env: { HOME: temporaryFolder() },
  })
  try {
    await pty.waitFor(/Press Enter for step 2/)
    pty.type('next\r')
    await pty.waitFor(/Press Enter for step 2.*type b or s, or only press Enter.*Press Enter for step 2/s)
    pty.type('b\r')
    await pty.waitFor(/step 1 is the first step.*Press Enter for step 2/s)
    expect(pty.screen().join('\n')).not.toContain('2 Create a scan link')
  } finally {
    pty.close()
  }
})

test('the link in the last step of the demo works until the user presses Enter', async () => {
  const pty = openPty(process.execPath, ['bin/facescan.js', 'demo', '--from', String(steps.length)], {
    columns: 1_000,
    env: { HOME: temporaryFolder() },
  })
  try {
    const screen = await pty.waitFor(/Press Enter to end the tour and delete its data; b Enter: back/)
    const link = /^http:\S+$/m.exec(screen)?.[0] ?? ''
    expect((await fetch(link.replace('dashboard.localhost', '127.0.0.1'))).status).toBe(200)
    pty.type('\r')
    await pty.waitFor(/its data has been deleted/)
    expect(await pty.ended).toBe(0)
  } finally {
    pty.close()
  }
})

test('"demo --from" with an unknown step is a usage error', async () => {
  const { exitCode, stderr } = await createMachine().facescan('demo --from 99')
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`the tour has ${steps.length} steps`)
})

test.each(['--json', '--jq .', '-o csv', '-o ndjson'])('"demo %s" is a usage error', async (flags) => {
  const { exitCode, stdout, stderr } = await createMachine().facescan(`demo ${flags}`)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('does not support')
})

test('a demo command that is wider than the terminal wraps between its flags', async () => {
  const options = { terminal: true, columns: 60, env: { NO_COLOR: '1' } }
  const { exitCode, stdout } = await createMachine().facescan('demo --no-input', options)
  expect(exitCode).toBe(0)
  expect(stdout).toContain(
    '$ facescan users create demo-001 --sex F \\\n    --birth-date 1984-02-29 --language nl\n',
  )
})

test('an interrupted demo prints only one message about the interruption', async () => {
  const interrupts = createInterrupts()
  interrupts.receive('SIGINT')
  const { exitCode, stdout, stderr } = await createMachine().facescan('demo', { interrupts })
  expect(exitCode).toBe(130)
  expect((stdout + stderr).match(/interrupted/g)).toEqual(['interrupted'])
})

test('the error for a missing temporary directory names TMPDIR', () => {
  const home = temporaryFolder()
  const { status, stderr } = spawnSync(process.execPath, ['bin/facescan.js', 'demo'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: join(home, 'missing') },
  })
  expect(status).toBe(13)
  expect(stderr).toContain('TMPDIR')
})

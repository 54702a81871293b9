import { beforeEach, expect, test } from 'vitest'
import type { Clock } from '../../src/base/clock.ts'
import { createInterrupts } from '../../src/context/interrupts.ts'
import { clockThatEnds } from '../helpers/clock.ts'
import { createMachine, type Machine } from '../helpers/facescan.ts'

const user = '--external-user-id 4711'
let machine: Machine

beforeEach(async () => {
  machine = createMachine()
  await machine.facescan(`users create ${user}`)
})

/** A clock whose time advances only during sleeps. Each function in `events` is called after its time (in seconds). */
function clockWith(events: Record<number, () => unknown>): Clock & { sleeps: number[] } {
  const start = Date.now()
  let now = start
  const sleeps: number[] = []
  return {
    sleeps,
    now: () => now,
    monotonic: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      sleeps.push(ms)
      const before = (now - start) / 1_000
      now += ms
      for (const [second, happen] of Object.entries(events)) {
        if (Number(second) > before && Number(second) <= (now - start) / 1_000) await happen()
      }
      signal?.throwIfAborted()
    },
  }
}

const scan = () => machine.facescan(`sandbox scan ${user} --seed 7`)

test('"scan-url --wait" prints the link, waits for the next scan, and prints its biomarkers', async () => {
  await scan()
  const clock = clockWith({ 20: scan })
  const result = await machine.facescan(`scan-url ${user} --wait -o ndjson`, { clock })
  expect(result.exitCode).toBe(0)
  const [link, record] = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(link).toMatchObject({ url: expect.stringMatching(/^http/) })
  const latest = await machine.facescan(`biomarkers latest ${user} --json`)
  expect([record]).toEqual(JSON.parse(latest.stdout))
  expect(result.stderr).toContain('for the scan; press Ctrl-C')
})

test('"scan-url --wait" on a terminal prints the scan in the format of "biomarkers latest"', async () => {
  const clock = clockWith({ 300: () => machine.facescan(`sandbox scan ${user}`, { clock }) })
  const { stdout } = await machine.facescan(`scan-url ${user} --wait`, { clock, terminal: true })
  const latest = await machine.facescan(`biomarkers latest ${user}`, { clock, terminal: true })
  expect(stdout).toContain(latest.stdout)
})

test('"scan-url --wait" with --qr and --json prints the scan as one JSON document', async () => {
  const clock = clockWith({ 3: scan })
  const result = await machine.facescan(`scan-url ${user} --wait --qr --json`, { clock })
  expect(result.exitCode).toBe(0)
  expect(JSON.parse(result.stdout)).toMatchObject([{ face_scan_id: expect.any(String) }])
})

test('"scan-url --wait --json" without --qr is refused before anything is sent', async () => {
  const result = await machine.facescan(`scan-url ${user} --wait --json`)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(JSON.parse(result.stderr).error.hint).toContain('--qr')
})

test('"scan-url --wait" checks for a new scan every 5 to 15 s', async () => {
  const clock = clockWith({})
  const result = await machine.facescan(`scan-url ${user} --wait=10m --debug`, { clock })
  expect(result.exitCode).toBe(9)
  expect(result.stderr).toContain('no new scan arrived within 10 min')
  const asked = result.stderr
    .split('\n')
    .filter((line) => line.includes('GET') && line.includes('/latest')).length
  expect(asked).toBeGreaterThan(600 / 15 - 2)
  expect(asked).toBeLessThan(600 / 8)
})

test('Ctrl-C stops "scan-url --wait" at once with exit code 130', async () => {
  const interrupts = createInterrupts()
  const clock = clockWith({ 7: () => interrupts.receive('SIGINT') })
  const result = await machine.facescan(`scan-url ${user} --wait -o ndjson`, { clock, interrupts })
  expect(result.exitCode).toBe(130)
  expect(clock.sleeps.length).toBeLessThan(9)
})

test('"biomarkers latest --watch" prints each new scan as a line, and exits with 0 on Ctrl-C', async () => {
  await scan()
  const interrupts = createInterrupts()
  const clock = clockWith({ 10: scan, 30: scan, 60: () => interrupts.receive('SIGINT') })
  const result = await machine.facescan(`biomarkers latest ${user} --watch -o ndjson`, { clock, interrupts })
  expect(result.exitCode).toBe(0)
  const ids = result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).face_scan_id)
  expect(new Set(ids).size).toBe(3)
})

test.each([
  ['json', (text: string) => JSON.parse(text).length],
  ['csv', (text: string) => text.trim().split('\n').length - 1],
])('"biomarkers latest --watch -o %s" prints all scans as one document', async (format, countScans) => {
  await scan()
  const interrupts = createInterrupts()
  const clock = clockWith({ 10: scan, 60: () => interrupts.receive('SIGINT') })
  const result = await machine.facescan(`biomarkers latest ${user} --watch -o ${format}`, {
    clock,
    interrupts,
  })
  expect(result.exitCode).toBe(0)
  expect(countScans(result.stdout)).toBe(2)
})

test('"biomarkers latest --watch -o json" prints the scans after SIGTERM, and exits with 143', async () => {
  await scan()
  const interrupts = createInterrupts()
  const clock = clockWith({ 10: scan, 60: () => interrupts.receive('SIGTERM') })
  const line = `biomarkers latest ${user} --watch -o json`
  const { exitCode, stdout, stderr } = await machine.facescan(line, { clock, interrupts })
  expect(exitCode).toBe(143)
  expect(JSON.parse(stdout)).toHaveLength(2)
  expect(stderr).toContain('"exit_code":143')
})

test('"biomarkers latest --watch" fails at the end of --max-time', async () => {
  const line = `biomarkers latest ${user} --watch --max-time 1h`
  const { exitCode, stderr } = await machine.facescan(line, { clock: clockThatEnds() })
  expect(exitCode).toBe(9)
  expect(stderr).toContain('the command did not finish within 3600 s')
})

test.each([
  `biomarkers compare ${user} --days 99999999`,
  `biomarkers list ${user} --start 99999999d`,
  `scan-url ${user} --expire-at 999999999h`,
])('a duration that results in a year before 1 or after 9999 is a usage error: %s', async (line) => {
  const { exitCode, stderr } = await machine.facescan(line)
  expect(exitCode, stderr).toBe(2)
  expect(stderr).toMatch(/99" is more than the maximum of|is too long \(the time must be in the years/)
})

test('"biomarkers compare" prints the average before a date, the average after it, and the difference', async () => {
  await machine.facescan(`sandbox scan ${user} --count 40 --days 40 --seed 7`)
  const at = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 19)
  const all = JSON.parse((await machine.facescan(`biomarkers list ${user} --limit 100 --json`)).stdout) as {
    timestamp: string
    heart_rate: number
  }[]
  const earlier = all.filter(({ timestamp }) => timestamp < at)
  const result = await machine.facescan(
    `biomarkers compare ${user} --before ${at} --after ${at} --count 100 --json`,
  )
  const compared = JSON.parse(result.stdout)
  expect(compared.before).toMatchObject({ until: at, scans: earlier.length })
  expect(compared.before.scans + compared.after.scans).toBe(40)
  const [heartRate] = compared.biomarkers
  const mean = earlier.reduce((sum, one) => sum + one.heart_rate, 0) / earlier.length
  expect(heartRate).toMatchObject({
    biomarker: 'heart_rate',
    unit: 'bpm',
    before: Math.round(mean * 100) / 100,
  })
  expect(heartRate.change).toBeCloseTo(heartRate.after - heartRate.before, 2)

  const table = await machine.facescan(`biomarkers compare ${user} --before ${at} --after ${at}`, {
    terminal: true,
    env: { NO_COLOR: '1' },
  })
  expect(table.stdout).toMatch(/^Before +\S.* to .*\nAfter +\S.* to .*$/m)
  // The note contains the number of scans, so the table does not repeat it.
  expect(table.stdout).not.toContain('scans')
  expect(table.stderr).toMatch(/compared \d+ scans after .* with \d+ scans before/)
  expect(table.stdout).toMatch(/Heart rate +\d/)
})

test('if a period has no scans, "biomarkers compare" prints null and a note', async () => {
  const result = await machine.facescan(
    `biomarkers compare ${user} --before 2026-01-01 --after 2026-01-02 --json`,
  )
  expect(result.exitCode).toBe(0)
  expect(JSON.parse(result.stdout)).toMatchObject({ before: { scans: 0, first: null }, after: { scans: 0 } })
  expect(JSON.parse(result.stdout).biomarkers[0]).toMatchObject({
    before: null,
    change: null,
    change_percent: null,
  })
  expect(result.stderr).toContain('no scans before 2026-01-01')
  const recent = await machine.facescan(`biomarkers compare ${user} --days 1d --json`)
  expect(recent.stderr).toContain('no scans in the last 1 day')
})

test.each([
  ['--days 7', 'no face scans in the last 7 days or in the 7 days before'],
  ['--before 2026-01-01 --after 2026-01-02', 'no face scans after 2026-01-02 or before 2026-01-01'],
  [
    '--before 2026-01-01T00:00:00Z --after 2026-01-02',
    'no face scans after 2026-01-02 or before 2026-01-01T00:00:00Z',
  ],
])(
  '"biomarkers compare %s" without scans prints no table, and suggests a list of the newest scans',
  async (flags, reason) => {
    for (const terminal of [false, true]) {
      const { exitCode, stdout, stderr } = await machine.facescan(`biomarkers compare 4711 ${flags}`, {
        terminal,
        columns: 200,
        env: { NO_COLOR: '1' },
      })
      expect([exitCode, stdout]).toEqual([0, ''])
      expect(stderr.replace(/^· /, '')).toBe(
        `${reason}; show the newest scans: facescan biomarkers list 4711\n`,
      )
    }
    const { stdout } = await machine.facescan(`biomarkers compare 4711 ${flags} -o csv`)
    expect(stdout).toContain('heart_rate,,,bpm,,')
  },
)

test('"biomarkers compare --days 5" compares the last five days with the five days before', async () => {
  await machine.facescan('users create days')
  await machine.facescan('sandbox scan days --count 20 --days 20 --seed 7')
  const compare = async (flags: string) => {
    const { stdout, exitCode } = await machine.facescan(`biomarkers compare days ${flags} --json`)
    expect(exitCode).toBe(0)
    const { before, after } = JSON.parse(stdout)
    return [before.scans, after.scans]
  }
  expect(await compare('--days 5')).toEqual([5, 5])
  const [before, after] = await compare('')
  expect([before + after, after >= 14]).toEqual([20, true])
  const one = await machine.facescan('biomarkers compare days --before 2026-01-01')
  expect(one).toMatchObject({ exitCode: 2, stdout: '' })
  expect(one.stderr).toContain('--before and --after must be used together')
})

test('"biomarkers compare" prints a note if its default limit excludes scans', async () => {
  await machine.facescan('users create often')
  await machine.facescan('sandbox scan often --count 120 --days 40 --seed 7')
  const compare = async (flags: string) => {
    const { stdout, stderr } = await machine.facescan(`biomarkers compare often --days 20 ${flags} --json`)
    const { before, after } = JSON.parse(stdout)
    return [before.scans, after.scans, stderr.includes('at most 30 scans per period are compared')]
  }
  expect(await compare('')).toEqual([30, 30, true])
  expect(await compare('--count 30')).toEqual([30, 30, false])
  const [before, after, hasNote] = await compare('--count 100')
  expect([Number(before) + Number(after), hasNote]).toEqual([120, false])
})

test('"biomarkers compare" refuses overlapping periods before anything is sent', async () => {
  const result = await machine.facescan(`biomarkers compare ${user} --before 2026-02-01 --after 2026-01-01`)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain('--after must not be earlier than --before')
})

test('"biomarkers compare --days 30" names the compared periods, and shows a change of less than 1 percent', async () => {
  await machine.facescan('users create month')
  await machine.facescan('sandbox scan month --count 60 --days 60 --seed 7')
  const { stdout, stderr } = await machine.facescan('biomarkers compare month --days 30 --color never', {
    terminal: true,
  })
  expect(stderr).toMatch(/compared 3\d scans in the last 30 days with [23]\d scans in the 30 days before/)
  expect(stdout).toMatch(/[▲▼] [\d.]+ +[+-]\d+\.\d\n/)
})

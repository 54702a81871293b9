import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const { facescan } = createMachine()
const scan = '0a1b2c3d-1111-2222-3333-444455556666'

test.each([
  ['widgets graph heart_rate 4711', 'widgets graph 4711 heart_rate'],
  ['widgets graph heart_rat 4711 --title=Rate', 'widgets graph 4711 heart_rate --title=Rate'],
  ['widgets metric sleep_quality 4711', 'widgets metric 4711 sleep_quality'],
  [
    `widgets biomarker heart_rate 4711 --face-scan-id ${scan}`,
    `widgets biomarker 4711 heart_rate --face-scan-id=${scan}`,
  ],
  ['summary physical 4711 --language de', 'summary 4711 physical --language=de'],
  ['summary sleep_energy 4711', 'summary 4711 energy_sleep'],
  [`biomarkers get ${scan} 4711`, `biomarkers get 4711 ${scan}`],
])('"%s" exits with 2 and suggests "%s"', async (line, next) => {
  const { exitCode, stderr } = await facescan(line)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`error: the arguments are in the wrong order; use: facescan ${next}\n`)
})

test.each([
  ['users update 4711 language=fr sex=F', 'users update 4711 --language=fr --sex=F'],
  ['users create 4711 birth-date=1984-02-29 --sex F', 'users create 4711 --birth-date=1984-02-29 --sex=F'],
  ['history list 4711', 'history list --external-user-id=4711'],
  ['scan-url 4711 fr', 'scan-url 4711 --language=fr'],
])('"%s" has values without flags, exits with 2, and suggests "%s"', async (line, next) => {
  const { exitCode, stderr } = await facescan(line)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`. Did you mean: facescan ${next}\n`)
})

test('"scan-url 4711 fr es" exits with 2 and suggests no command, because both "fr" and "es" can be the value of one flag', async () => {
  const { exitCode, stderr } = await facescan('scan-url 4711 fr es')
  expect(exitCode).toBe(2)
  expect(stderr).not.toContain('Did you mean')
})

test('"users update" with two external user IDs exits with 2 and names the flag for a new external user ID', async () => {
  const { exitCode, stderr } = await facescan('users update 4711 --external-user-id 4712')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('pass exactly one. For a new external user ID, use --new-external-user-id\n')
})

test.each([
  ['--dob 1984-02-29', '--birth-date'],
  ['--birthday 1984-02-29', '--birth-date'],
  ['--units metric', '--unit-system'],
])('"users update 4711 %s" exits with 2 and suggests %s', async (flags, suggestion) => {
  const { exitCode, stderr } = await facescan(`users update 4711 ${flags}`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`did you mean "${suggestion}"?`)
})

test('a long value without its flag may be a key, so the error for "users update" does not repeat the value', async () => {
  const key = 'k3y!'.repeat(10)
  const { exitCode, stderr } = await facescan(`users update 4711 language=${key}`)
  expect(exitCode).toBe(2)
  expect(stderr).not.toContain(key)
})

test.each(['biomarkers get heart_rate 4711', 'biomarkers get 4711 heart_rate'])(
  '"%s" exits with 2 and suggests the chart of the biomarker',
  async (line) => {
    const { exitCode, stderr } = await facescan(line)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(
      'error: "heart_rate" is a biomarker, not a face scan ID; use: facescan biomarkers list 4711 --chart=heart_rate\n',
    )
  },
)

test('if the external user ID is a UUID and the face scan ID is invalid, the error names the face scan ID', async () => {
  const { exitCode, stderr } = await facescan(`biomarkers get ${scan} ${scan.slice(0, -1)}`)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/^error: face-scan-id: .* is not a valid UUID/)
  expect(stderr).not.toContain('wrong order')
})

test('if an action token is set, "summary physical 4711" exits with 2 and reports too many arguments', async () => {
  const { exitCode, stderr } = await facescan('summary physical 4711', {
    env: { FACESCAN_ACTION_TOKEN: 'abc' },
  })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('too many arguments')
  expect(stderr).not.toContain('wrong order')
})

test.each(['widgets graph heart_rate', 'summary physical', `biomarkers get ${scan}`])(
  '"%s" contains no user, exits with 2, and reports the missing user',
  async (line) => {
    const { exitCode, stderr } = await facescan(line)
    expect(exitCode).toBe(2)
    expect(stderr).toMatch(/^error: user ID is missing; pass the external user ID or --user-id\nhint: See/)
  },
)

test.each([
  ['recommendations 4711 es', 'recommendations 4711 --language=es'],
  ['biomarkers list asc 4711', 'biomarkers list 4711 --order=asc'],
  ['biomarkers list 4711 heart_rate', 'biomarkers list 4711 --chart=heart_rate'],
  ['summary 4711 mental de', 'summary 4711 mental --language=de'],
])('"%s" exits with 2 and suggests the last word as the value of a flag: "%s"', async (line, next) => {
  const { exitCode, stderr } = await facescan(line)
  expect(exitCode).toBe(2)
  expect(stderr).toMatch(/^error: too many arguments: /)
  expect(stderr).toContain(`. Did you mean: facescan ${next}\n`)
})

test('an external user ID that equals the name of a dimension is accepted before a dimension or after --external-user-id', async () => {
  await facescan('users create physical')
  for (const line of ['summary --external-user-id physical mental', 'summary physical mental'])
    expect(await facescan(line)).toMatchObject({ exitCode: 0 })
})

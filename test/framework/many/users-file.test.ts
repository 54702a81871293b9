import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createInterrupts } from '../../../src/context/interrupts.ts'
import { clockIn, realClock } from '../../helpers/clock.ts'
import { reply, serve } from '../../helpers/hostile-server.ts'
import { asText } from '../../helpers/messages.ts'
import { startService } from '../../helpers/service.ts'
import { staff, useStaff } from './staff.ts'

const { facescan, home, listOf } = useStaff()

test('"users get" fails for a row whose user ID and external user ID belong to different users', async () => {
  const id = (await facescan('users get u1 --jq .user_id')).stdout.trim()
  const list = listOf(
    `external_user_id,user_id\nu1,${id.replaceAll('-', '').toUpperCase()}\nu2,${id}\n`,
    'both.csv',
  )
  const result = await facescan(`users get --users ${list} -o ndjson`)
  expect(result.exitCode, result.stderr).toBe(10)
  expect(result.stdout.trim().split('\n')).toHaveLength(1)
  expect(result.stderr).toContain('belong to different users')
})

test.each([
  ['users get', 'external_user_id,user_id,customer,birth_date'],
  ['metrics', 'external_user_id,energy_balance,energy_balance_confidence'],
  ['wellbeing', 'external_user_id,physical,mental'],
  ['summary mental --language en', 'external_user_id,dimension,feedback,tip'],
  ['recommendations', 'external_user_id,'],
  ['biomarkers list', 'external_user_id,timestamp,heart_rate'],
  ['biomarkers latest', 'external_user_id,timestamp,heart_rate'],
  ['answers list', 'external_user_id,question_lookup_key,answer'],
  ['token', 'external_user_id,token,expires_at'],
  ['scan-url', 'external_user_id,url,expires_at'],
  ['dashboard-url', 'external_user_id,url,expires_at'],
])('"%s" prints one header and one row for each user, in the order of the list', async (line, header) => {
  const path = listOf('external_user_id\nu3\nu1\nu2\n')
  const { exitCode, stdout, stderr } = await facescan(`${line} --users ${path} -o csv`)
  expect(exitCode, stderr).toBe(0)
  const [first = '', ...rows] = stdout.trim().split('\r\n')
  expect(first.startsWith(header), first).toBe(true)
  const ids = rows.filter((row) => /^u\d,/.test(row)).map((row) => row.slice(0, 2))
  expect([...new Set(ids)]).toEqual(line === 'answers list' ? [] : ['u3', 'u1', 'u2'])
})

test('if a user has no scans, "biomarkers latest --users" prints empty cells, or an empty list in JSON', async () => {
  await facescan('users create unscanned')
  const latest = `biomarkers latest --users ${listOf('unscanned\nu1\n')}`
  const table = await facescan(latest, { terminal: true, env: { NO_COLOR: '1' } })
  expect(table.stdout).toMatch(/\nunscanned +– .*\nu1 +\S/)
  const csv = await facescan(`${latest} -o csv`)
  expect(csv.stdout).toMatch(/\r\nunscanned,,,,,,,,,\r\nu1,\d{4}-/)
  const json = JSON.parse((await facescan(`${latest} -o json`)).stdout)
  expect(json[0]).toEqual({ external_user_id: 'unscanned', result: [] })
})

test('below a table, "biomarkers list --users" prints the number of users without scans', async () => {
  await facescan('users create unscanned')
  const { stdout, stderr } = await facescan(`biomarkers list --users ${listOf('unscanned\nu1\n')}`, {
    terminal: true,
    env: { NO_COLOR: '1' },
  })
  expect(stdout).not.toContain('unscanned')
  expect(stderr).toContain('· no results for 1 user; to list these users, use --json\n')
})

test.each(['csv', 'tsv'])(
  '"biomarkers list --users -o %s" prints a note with the number of users without scans',
  async (format) => {
    await facescan('users create unscanned')
    const line = `biomarkers list -o ${format} --users`
    const some = await facescan(`${line} ${listOf('unscanned\nu1\n')}`)
    expect(asText(some.stderr)).toContain('no results for 1 user; to list these users, use --json\n')
    const all = await facescan(`${line} ${listOf('unscanned\n')} --out ${join(home, `none.${format}`)}`)
    expect(asText(all.stderr)).toContain('no results for 1 user\n')
    const json = await facescan(`biomarkers list --json --users ${listOf('unscanned\n')}`)
    expect(json.stderr).not.toContain('no results')
  },
)

test('if no user has scans, "biomarkers list --users" prints no table, and a note reports the number of rows', async () => {
  await facescan('users create unscanned')
  const list = listOf('unscanned\nunscanned\n')
  const shown = await facescan(`biomarkers list --users ${list}`, { terminal: true, env: { NO_COLOR: '1' } })
  expect(shown.stdout).toBe('')
  expect(shown.stderr).toContain('· no results for 2 rows\n')
  expect(shown.stderr).not.toContain('use --json')
})

test('if a user has several rows, a command for a list of users counts users and rows separately', async () => {
  const columns = 'external_user_id,user_id,start,end'
  const rows = ['u1,,2020-01-01,2021-01-01', 'u1,,2021-01-01,2022-01-01', 'u2,,2020-01-01,2021-01-01']
  const periods = await facescan(
    `biomarkers list --users ${listOf(`${columns}\n${rows.join('\n')}\n`)} -o csv`,
  )
  expect(asText(periods.stderr)).toContain('Processed 2 users (3 rows)\n')
  expect(asText(periods.stderr)).toContain('no results for 3 rows\n')
  const equal = await facescan(`users get --users ${listOf('u1\nu2\nu1\n')} -o csv`)
  expect(asText(equal.stderr)).toContain('Processed 2 users (3 rows)\n')
  const failed = await facescan(`users get --users ${listOf('u1\nnope\nnope\n')} -o csv`)
  expect(failed.stderr).toContain('2 of 3 rows failed; 1 done')
})

test('if a table of "biomarkers latest" is too wide, it omits biomarkers and keeps the columns in --keep', async () => {
  const line = `biomarkers latest --users ${listOf(staff.replace('nope', 'u3'))} --keep email`
  const { stdout } = await facescan(line, { terminal: true, columns: 80, env: { NO_COLOR: '1' } })
  expect(stdout).toMatch(/^External user ID {2}email +When +Heart bpm/)
  expect(stdout).toContain('Columns not shown: Resonance %, Sys mmHg, Dia mmHg, Face scan.')
})

test('"scan-url" copies the columns that --keep names, reads --language from a column, and reports a failed user', async () => {
  const { exitCode, stdout, stderr } = await facescan(`scan-url --users ${listOf(staff)} --keep email -o csv`)
  const rows = stdout.trim().split('\r\n')
  expect(exitCode).toBe(10)
  expect(rows[0]).toBe('external_user_id,email,url,expires_at')
  expect(rows[1]).toMatch(/^u2,b@example\.com,http.*language=nl/)
  expect(rows[2]).toMatch(/^u1,a@example\.com,http.*language=fr/)
  expect(stderr).toContain('"line":3,"code":"not_found"')
  expect(stderr).toContain('1 of 3 users failed; 2 done')
})

test('--keep copies a column once, even if it is the ID column or is named twice', async () => {
  const list = listOf('external_user_id,email\nu1,a@example.com\n')
  const line = `users get --users ${list} --keep email,external_user_id --keep email`
  const { exitCode, stdout, stderr } = await facescan(`${line} -o csv`)
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toMatch(/^external_user_id,email,user_id,customer,/)
  expect(stdout).toContain('\nu1,a@example.com,')
  const json = JSON.parse((await facescan(`${line} -o json`)).stdout)
  expect(Object.keys(json[0])).toEqual(['external_user_id', 'email', 'result'])
})

test('"users get --users --json" prints an array with one result for each user', async () => {
  const single = JSON.parse((await facescan('users get u1 --json')).stdout)
  const many = JSON.parse((await facescan(`users get --users ${listOf('u1\nu2\n')} --json`)).stdout)
  expect(many).toHaveLength(2)
  expect(many[0]).toEqual({ external_user_id: 'u1', result: single })
  const { stdout } = await facescan(`users get --users ${listOf('u1\n')} --json=language`)
  expect(JSON.parse(stdout)).toEqual([{ external_user_id: 'u1', result: { language: 'nl' } }])
})

test('the NDJSON output of "users get" is a valid list of users for "metrics"', async () => {
  const users = await facescan(`users get --users ${listOf('u2\nu1\n')} -o ndjson`)
  const { exitCode, stdout, stderr } = await facescan('metrics --users - -o ndjson', {
    stdin: users.stdout,
  })
  expect(exitCode, stderr).toBe(0)
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(rows.map((row) => row.external_user_id)).toEqual(['u2', 'u1'])
})

test('an unknown field in --json stops a command for a list of users before the first request', async () => {
  const out = join(home, 'fields.json')
  for (const flags of ['', `--out ${out}`]) {
    const ran = await facescan(`users get --users ${listOf('u1\nu2\n')} --json=nosuch ${flags}`)
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(JSON.parse(ran.stderr).error.message).toBe('--json: unknown field "nosuch"')
  }
  expect(existsSync(out)).toBe(false)
})

test('--jq and paths in --json apply to the result for each user in a list', async () => {
  const users = listOf('u1\nu2\n')
  const jq = await facescan(['users', 'get', '--users', users, '--jq', '.language, .sex'])
  expect(
    jq.stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { external_user_id: 'u1', result: 'nl' },
    { external_user_id: 'u1' },
    { external_user_id: 'u2', result: 'nl' },
    { external_user_id: 'u2' },
  ])
  const paths = await facescan(`recommendations --users ${users} --json=recommendations.relevance`)
  expect(JSON.parse(paths.stdout)).toEqual(
    ['u1', 'u2'].map((external_user_id) => ({
      external_user_id,
      result: { recommendations: expect.any(Array) },
    })),
  )
})

test('if a cell is invalid, "scan-url" sends nothing, and with --skip-invalid it skips the row', async () => {
  const path = listOf('external_user_id,language\nu1,xx\nu2,fr\n,nl\n')
  const refused = await facescan(`scan-url --users ${path} -o csv`)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(JSON.parse(refused.stderr).error.problems).toEqual([
    {
      line: 2,
      column: null,
      code: null,
      message: expect.stringMatching(/^language: the value is not one of /),
    },
    { line: 4, column: null, code: null, message: 'the user ID is empty' },
  ])
  const skipped = await facescan(`scan-url --users ${path} -o csv --skip-invalid`)
  expect(skipped.exitCode).toBe(0)
  expect(skipped.stdout.trim().split('\r\n')).toHaveLength(2)
})

test.each([
  [true, 'birth_date: "1984-02-30" is not a valid date'],
  [false, 'birth_date: the value is not a valid date'],
])(
  'the error for an invalid cell shows the text of the cell only on a terminal: %s',
  async (terminal, problem) => {
    const path = listOf('external_user_id,birth_date\nu1,1984-02-30\n')
    const { exitCode, stderr } = await facescan(`users import ${path} -o table`, { terminal, columns: 140 })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`line 2: ${problem}`)
  },
)

test('a list without a header is refused, and the message contains no data', async () => {
  const path = listOf('Ann Smith,ann@example.com,1984-02-29\n')
  const { exitCode, stderr } = await facescan(`users import ${path}`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('the first line contains data instead of a header')
  expect(stderr).not.toMatch(/Ann|example\.com,|1984/)
})

test('Ctrl-C during the check of a list stops "users import" before the first request', async () => {
  const interrupts = createInterrupts()
  interrupts.receive('SIGINT')
  const ran = await facescan(`users import ${listOf('u7\nu8\n')}`, { interrupts })
  expect(ran).toMatchObject({ exitCode: 130, stdout: '' })
  expect((await facescan('users get u7')).exitCode).toBe(4)
  const dry = await facescan(`users import ${listOf('u7\nu8\n')} --dry-run`, { interrupts })
  expect(dry).toMatchObject({ exitCode: 130 })
})

test('a row is invalid if one of its columns conflicts with a flag of the command', async () => {
  const path = listOf('external_user_id,limit\nu1,\nu2,1\n')
  const { exitCode, stderr } = await facescan(`biomarkers list --users ${path} --all -o csv`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('staff.csv has 1 invalid row')
  expect(stderr).toContain(
    '"line":3,"column":null,"code":null,"message":"limit and --all cannot be used together',
  )
})

test('if a list has 25 invalid rows, the error shows the first rows and the total number', async () => {
  const { stderr } = await facescan(`scan-url --users ${listOf(`external_user_id\n${'a,b\n'.repeat(25)}`)}`)
  expect(stderr.match(/line \d+/g)).toHaveLength(20)
  expect(stderr).toContain('… (25 invalid rows in total)')
})

test('a repeated "users get --out" sends nothing, and other flags than in the first run are refused', async () => {
  const server = await serve(() => reply(200, { user_id: 'x', customer: 'ACME' }))
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const out = join(home, 'own.csv')
  const line = `users get --users ${listOf('u1\nu2\n')} --out ${out}`
  const first = await facescan(line, { env })
  const second = await facescan(line, { env })
  expect([first.exitCode, second.exitCode]).toEqual([0, 0])
  expect(server.requests).toHaveLength(2)
  expect(second.stderr).toContain('own.csv is already complete; to run the command again, add --renew')
  expect([first, second].map(({ stderr }) => stderr.includes('Processed 2 users'))).toEqual([true, false])
  expect(await facescan(`${line} -o csv`, { env })).toMatchObject({ exitCode: 0 })
  expect(server.requests).toHaveLength(2)
  const refused = async (otherLine: string, clock = realClock) => {
    const { exitCode, stderr } = await facescan(otherLine, { env, clock })
    expect({ exitCode }, stderr).toEqual({ exitCode: 2 })
    expect(stderr).toContain('own.csv already exists')
  }
  await refused(`${line} --excel`)
  await refused(line, clockIn(13 * 3_600_000))
  writeFileSync(out, readFileSync(out))
  await refused(line)
  expect(server.requests).toHaveLength(2)
})

test('a repeated "users import" creates a deleted user again and writes a second results file', async () => {
  const list = listOf('external_user_id\ntwice\n')
  for (const name of ['staff.users.csv', 'staff.users-2.csv']) {
    const { exitCode, stderr } = await facescan(`users import ${list}`)
    expect(exitCode, stderr).toBe(0)
    expect(stderr).toContain(`results in ${join(home, name)}`)
    expect(readFileSync(join(home, name), 'utf8')).toMatch(/twice,.*,created/)
    expect((await facescan('users delete twice --yes')).exitCode).toBe(0)
  }
})

test('a repeated "users delete --out" warns that it sent nothing', async () => {
  expect((await facescan('users create back')).exitCode).toBe(0)
  const list = listOf('external_user_id\nback\n')
  const line = `users delete --users ${list} --confirm=1 --out ${join(home, 'gone.csv')} --quiet`
  expect((await facescan(line)).exitCode).toBe(0)
  expect((await facescan('users create back')).exitCode).toBe(0)
  expect((await facescan(line)).stderr).toContain('nothing was sent')
  const { stderr } = await facescan(line.replace(' --quiet', ''))
  expect(stderr).toContain('nothing was sent')
  expect(stderr).not.toContain('Deleted')
  expect((await facescan('users get back')).exitCode).toBe(0)
})

test.each(['token', 'scan-url', 'dashboard-url'])(
  '"%s" refuses to print the tokens or links of a list to a terminal, in any format',
  async (command) => {
    for (const flags of ['', '--json', '--jq .', '-o ndjson', '-o yaml', '-o csv', '-o tsv']) {
      const line = `${command} --users ${listOf('u1\n')} ${flags}`
      const { exitCode, stderr, stdout } = await facescan(line, { terminal: true })
      expect({ exitCode, stdout }, flags).toEqual({ exitCode: 2, stdout: '' })
      expect(stderr).toContain('tokens and links are not printed to a terminal')
    }
  },
)

test('"wellbeing" for a list prints a table and a summary on a terminal', async () => {
  const { exitCode, stdout, stderr } = await facescan(`wellbeing --users ${listOf('u1\nu2\n')}`, {
    terminal: true,
    env: { NO_COLOR: '1' },
  })
  expect(exitCode, stderr).toBe(0)
  expect(stdout).toContain('External user ID')
  expect(stderr).toContain('Processed 2 users')
})

test.each(['', '-o csv'])(
  'the progress line of a list is removed before output on a terminal (flags: "%s")',
  async (output) => {
    const ids = Array.from({ length: 30 }, (_, n) => `${n % 2 === 0 ? 'u1' : `missing${n}`}\n`).join('')
    const line = `users get --users ${listOf(ids)} --rate 40/s ${output}`
    const { stderr } = await facescan(line, { terminal: true, columns: 100, env: { NO_COLOR: '1' } })
    // If rows are printed during the run, they show the progress, so there is no progress line.
    expect(/\d+ of 30 rows(?! failed)/.test(stderr)).toBe(output === '')
    const lines = stderr.split(/\n|\r\x1b\[2K/)
    expect(lines.filter((text) => /users.*line/.test(text))).toEqual([])
  },
)

test('if a list in three shards has an invalid row, exactly one shard reports the row', async () => {
  const path = listOf('external_user_id,language\nu1,nl\n,nl\nu2,nl\n')
  const skipped: string[] = []
  for (const shard of ['1/3', '2/3', '3/3']) {
    const errors = join(home, `shard-${shard[0]}.csv`)
    await facescan(`users get --users ${path} --shard ${shard} --skip-invalid --errors ${errors} -o ndjson`)
    if (existsSync(errors)) skipped.push(readFileSync(errors, 'utf8'))
  }
  expect(skipped).toEqual([expect.stringContaining(',nl,3,external_user_id,user_missing,')])
})

test('three "users get" commands for the three shards of a list read each user exactly once', async () => {
  const path = listOf('u1\nu2\nu3\n')
  const shards = await Promise.all(
    [1, 2, 3].map((shard) => facescan(`users get --users ${path} --shard ${shard}/3 -o ndjson`)),
  )
  const ids = shards.flatMap(({ stdout }) =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line).external_user_id),
  )
  expect(ids.toSorted()).toEqual(['u1', 'u2', 'u3'])
})

test.each([
  ['Kubernetes', (index: number) => ({ JOB_COMPLETION_INDEX: String(index) })],
  ['Slurm', (index: number) => ({ SLURM_ARRAY_TASK_ID: String(index) })],
])('the tasks of a %s job process each user in a list once', async (_, envOf) => {
  const line = `users get --users ${listOf('u1\nu2\nu3\n')} --shard auto --shard-count 2 -o csv --no-header`
  const tasks = await Promise.all([0, 1].map((index) => facescan(line, { env: envOf(index) })))
  const ids = tasks.flatMap(({ stdout }) => stdout.match(/^u\d/gm) ?? [])
  expect(ids.toSorted()).toEqual(['u1', 'u2', 'u3'])
})

test.each(['--action-token', 'FACESCAN_ACTION_TOKEN'])(
  '"wellbeing" refuses %s for a list',
  async (source) => {
    const token = join(home, 'token')
    writeFileSync(token, 'header.payload.signature', { mode: 0o600 })
    const [flag, env] = source.startsWith('--') ? [`${source} ${token}`, {}] : ['', { [source]: 'a.b.c' }]
    const line = `wellbeing --users ${listOf('u1\n')} ${flag} -o csv`
    const { exitCode, stderr } = await facescan(line, { env })
    expect(exitCode, stderr).toBe(2)
    expect(stderr).toContain(`${source} identifies one user and cannot be used with --users`)
  },
)

test('the error for an unknown user in a list names the user, the profile, and the status', async () => {
  const { exitCode, stderr } = await facescan(`metrics --users ${listOf('u1\n4711\n')} -o csv`)
  expect(exitCode).toBe(10)
  expect(stderr).toContain('user \\"4711\\" not found in SANDBOX-DEV (404)')
})

test('"metrics" prints no table if all requests for a list failed', async () => {
  const { exitCode, stderr, stdout } = await facescan(`metrics --users ${listOf('x1\nx2\n')}`, {
    terminal: true,
  })
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 10, stdout: '' })
  expect(stderr).toContain('2 of 2 users failed')
})

test.each([
  [`users get u1 --users LIST`, 'a user ID and --users cannot be used together'],
  ['users get u1 --keep email', '--keep needs --users FILE'],
  ['metrics --users LIST --jq . --out out.csv', '--jq writes NDJSON, but the --out file has another format'],
  ['metrics --users LIST --jq . --json=metrics', '--jq, and --users cannot be used together'],
  ['scan-url --users LIST --qr -o csv', '--qr and --users cannot be used together'],
  ['users get --users LIST --keep phone -o csv', 'has no column "phone"'],
  ['users get --users LIST --keep language -o csv', 'the output already has a column with that name'],
  ['users get --users missing.csv -o csv', 'missing.csv does not exist'],
])('"%s" is a usage error that prints no result', async (line, message) => {
  const { exitCode, stderr, stdout } = await facescan(line.replace('LIST', listOf(staff)))
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr.replaceAll('\\\\"', '"').replaceAll('\\"', '"')).toContain(message)
})

test('"users get" for a list stops with exit code 3 if the key is rejected', async () => {
  const service = await startService()
  onTestFinished(() => service.close())
  const { exitCode, stdout, stderr } = await facescan(`users get --users ${listOf('u1\nu2\n')} -o csv`, {
    env: { FACESCAN_API_KEY: 'WRONG-KEY-0123456789012345678901234567890', FACESCAN_BASE_URL: service.url },
  })
  expect({ exitCode, stdout }, stderr).toEqual({ exitCode: 3, stdout: '' })
  expect(stderr).toContain('0 failed, 2 not tried')
})

test('"users import" refuses a --map with a misspelled field, and suggests the correct field', async () => {
  const path = listOf('external_user_id,born\nm1,1984-02-29\n')
  const typo = await facescan(`users import ${path} --map born=birth_dat --dry-run`)
  expect(typo.exitCode, typo.stderr).toBe(2)
  expect(typo.stderr).toContain('--map born=birth_date\n')
  for (const words of [
    `users import ${path} --map born=birth_date --dry-run`,
    `users import ${path} --map born= --dry-run`,
    `metrics --users ${path} --map born=birthday --keep birthday --dry-run`,
  ]) {
    const { exitCode, stderr } = await facescan(words)
    expect(exitCode, stderr).toBe(0)
    expect(stderr).not.toContain('warning')
  }
})

test('the YAML output for a list is one document with an item for each successful user', async () => {
  const { stdout } = await facescan(
    `users get --users ${listOf(staff)} --keep email -o yaml --errors ${home}/e.csv`,
  )
  const { parse } = await import('yaml')
  expect(parse(stdout)).toMatchObject([
    { external_user_id: 'u2', email: 'b@example.com', result: { language: 'nl' } },
    { external_user_id: 'u1', result: { sex: 'F' } },
  ])
  const { stdout: none } = await facescan(`users get --users ${listOf('external_user_id\n')} -o yaml`)
  expect(parse(none)).toEqual([])
})

test.each([
  ['named.csv', 'json', '', /^external_user_id,/],
  ['named.YAML', 'json', '', /^- external_user_id: u1\n/],
  ['named.txt', 'json', '', /^\[/],
  ['chosen.csv', 'csv', '-o json', /^\[/],
  ['fields.csv', 'csv', '--json=sex', /^\[/],
])(
  'the format of the file depends on --out %s, FACESCAN_OUTPUT=%s, and the flags "%s"',
  async (name, format, flags, start) => {
    const out = join(home, name)
    const line = `users get --users ${listOf('external_user_id\nu1\n')} --out ${out} ${flags}`
    const { exitCode, stderr } = await facescan(line, { env: { FACESCAN_OUTPUT: format } })
    expect(exitCode, stderr).toBe(0)
    expect(readFileSync(out, 'utf8')).toMatch(start)
  },
)

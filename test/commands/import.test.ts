import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { clockIn } from '../helpers/clock.ts'
import { createMachine, type Machine, type Ran } from '../helpers/facescan.ts'
import { reply, serve } from '../helpers/hostile-server.ts'

let machine: Machine
let file: string
let imports: number

const rows = ['4711,height,171', '4711,weight,64', '4712,height,182', '4711,age,41']

beforeEach(async () => {
  imports = 0
  machine = createMachine()
  for (const id of ['4711', '4712']) await machine.facescan(`users create --external-user-id ${id}`)
  file = write('answers.csv', rows)
})

function write(name: string, lines: readonly string[], header = 'external_user_id,lookup_key,value'): string {
  const path = join(machine.home, name)
  writeFileSync(path, `${[header, ...lines].join('\n')}\n`)
  return path
}

/** Imports a file, one minute after the previous import. */
function importing(path: string, ...more: string[]): Promise<Ran> {
  const words = ['answers', 'import', path, '--timezone', 'Europe/Amsterdam', '--yes', ...more]
  return machine.facescan(words, { clock: clockIn(imports++ * 60_000) })
}

async function stored(id: string): Promise<string[]> {
  const { stdout } = await machine.facescan(`answers list --external-user-id ${id} --all --json`)
  const answers: { question_lookup_key: string; answer: number }[] = JSON.parse(stdout)
  return answers.map(({ question_lookup_key, answer }) => `${question_lookup_key} ${answer}`)
}

test('an import saves all answers in file order and reports the number of rows in each state', async () => {
  const { exitCode, stdout, stderr } = await importing(file, '--results', machine.home, '--json')
  expect(exitCode, stderr).toBe(0)
  const summary = JSON.parse(stdout)
  expect(summary).toMatchObject({
    status: 'finished',
    rows: 4,
    accepted: 4,
    rejected: 0,
    unknown: 0,
    unsent: 0,
    requests: 2,
    rejects_file: null,
  })
  expect(JSON.parse(readFileSync(join(machine.home, 'answers.summary.json'), 'utf8'))).toEqual(summary)
  expect(await stored('4711')).toEqual(['height 171', 'weight 64', 'age 41'])
  expect(await stored('4712')).toEqual(['height 182'])
  expect(readdirSync(machine.home)).not.toContain('answers.rejects.csv')
})

test('a row with two IDs is sent only if both IDs belong to the same user', async () => {
  const header = 'external_user_id,user_id,height'
  const id = async (user: string) =>
    (await machine.facescan(`users get --external-user-id ${user} --jq .user_id`)).stdout.trim()
  const [first, second] = [await id('4711'), await id('4712')]
  const swapped = await importing(write('swapped.csv', [`4711,${first},171`, `4712,${first},182`], header))
  expect(swapped.exitCode, swapped.stderr).toBe(2)
  expect(swapped.stderr).toContain('line 3, user "4712", column user_id')
  expect(swapped.stderr).toContain('belong to different users')
  const right = await importing(write('right.csv', [`4711,${first},171`, `4712,${second},182`], header))
  expect(right.exitCode, right.stderr).toBe(0)
  expect(await stored('4712')).toEqual(['height 182'])
})

test('if a user lookup fails, an import of rows with two user IDs stops its lookups', async () => {
  const warnings: string[] = []
  const noteWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', noteWarning)
  onTestFinished(() => void process.off('warning', noteWarning))
  let sent = 0
  const server = await serve(({ target }) => {
    if (target.includes('/questions/all')) return reply(200, ['height'])
    sent++
    return sent < 3 ? reply(200, { user_id: randomUUID() }) : reply(403, {})
  })
  const env = { FACESCAN_API_KEY: 'k'.repeat(40), FACESCAN_BASE_URL: server.url }
  const users = Array.from({ length: 200 }, (_, user) => `p${user},${randomUUID()},170`)
  const path = write('pairs.csv', users, 'external_user_id,user_id,height')
  const line = ['answers', 'import', path, '--timezone', 'UTC', '--rate', '20/s']
  const refused = await machine.facescan(line, { env })
  expect(refused.exitCode, refused.stderr).toBe(5)
  expect(sent).toBeLessThan(16)
  expect(warnings).toEqual([])
})

test('the plan of an import shows the format of the file, the rows, the users, and the requests', async () => {
  const { stderr } = await importing(file)
  expect(stderr).toContain('answers.csv: long form, CSV (delimiter: comma, detected from the header), UTF-8')
  expect(stderr).toContain('4 answers for 2 users in 2 requests to SANDBOX-DEV')
  expect(stderr).not.toContain('at 0 ms per request')
})

test('for a file in wide form, the plan and the result of the import show the number of answers', async () => {
  const path = write('wide.csv', ['4711,181,72', '4799,170,'], 'external_user_id,height,weight')
  const { stderr } = await importing(path)
  expect(stderr).toContain('3 answers for 2 users in 2 requests to SANDBOX-DEV')
  expect(stderr).toContain('2 of 3 answers accepted, 1 rejected, 0 unknown, 0 unsent')
  expect(stderr).toContain('user not found (1 answer)')
})

test('a dry run of a file in wide form with one answer prints "1 answer"', async () => {
  const path = write('one.csv', ['4711,181'], 'external_user_id,height')
  expect((await importing(path, '--dry-run')).stdout).toMatch(/\t1 answer\t/)
})

test('a dry run of an import prints the plan and sends nothing', async () => {
  const { exitCode, stdout } = await importing(file, '--dry-run', '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ form: 'long', rows: 4, users: 2, requests: 2, invalid: 0 })
  expect(await stored('4711')).toEqual([])
  expect((await machine.facescan('imports list --json')).stdout).toBe('[]\n')
})

test('if one row is invalid, an import stops before the first request and reports all errors', async () => {
  const path = write('bad.csv', [...rows, '4711,heigth,1', '4712,weight,1.5'])
  for (const flags of [[], ['--dry-run']]) {
    const { exitCode, stdout, stderr } = await importing(path, ...flags)
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('2 invalid rows; nothing was sent')
    expect(stderr).toContain('line 6, user "4711", column lookup_key')
    expect(stderr).toContain('did you mean "height"?')
    expect(stderr).toMatch(/line 7, user "4712", column value, .* got "1.5"/)
    expect(readFileSync(join(machine.home, 'bad.rejects.csv'), 'utf8').split('\n').length).toBe(4)
  }
  expect(await stored('4711')).toEqual([])
})

test('an import reports the first unknown lookup keys and the number of further unknown lookup keys', async () => {
  const many = Array.from({ length: 100 }, (_, n) => `4711,no_key_${n % 50},1`)
  const { exitCode, stderr } = await importing(write('many.csv', many))
  expect(exitCode).toBe(2)
  expect(stderr.match(/warning: unknown lookup key "/g)).toHaveLength(20)
  expect(stderr).toContain('and 30 more unknown lookup keys')
})

test('an unknown lookup key in one row is reported once, and as a warning if --skip-invalid is set', async () => {
  const path = write('one.csv', [rows[0]!, '4711,wieght,1'])
  const once = await importing(path)
  expect(once.stderr.match(/unknown lookup key "wieght"/g)).toHaveLength(1)
  expect(once.stderr).toContain('column lookup_key')
  const skipped = await importing(path, '--skip-invalid')
  expect(skipped.stderr).toContain('warning: unknown lookup key "wieght" in 1 row')
})

test.each([
  'external_user_id,email\n4711,ann@example.com\n',
  'Personeelsnummer,email\n000101,a@example.com\n000102,b@example.com\n103,c@example.com\n',
])('if a file contains no answers, its import reports only the missing answers: %j', async (text) => {
  const path = join(machine.home, 'staff.csv')
  writeFileSync(path, text)
  const { exitCode, stderr } = await machine.facescan(`answers import ${path}`)
  expect(exitCode).toBe(2)
  expect(stderr).toContain('staff.csv has no column with answers')
  expect(stderr).not.toMatch(/time zone|--ids|--map /)
})

test('if many rows are invalid, an import prints the first errors and the number of further errors', async () => {
  const path = write('bad.csv', [rows[0]!, ...Array.from({ length: 15 }, () => ',heigth,1.5')])
  const { stderr } = await importing(path, '--dry-run', '--results', machine.home)
  const byte = `external_user_id,lookup_key,value\n${rows[0]}\n`.length
  expect(stderr).toContain(`line 3, column external_user_id, byte ${byte}: the user ID is empty`)
  expect(stderr).toMatch(/and 8 more\n.*All invalid rows and the reasons are in .*rejects\.csv/)
})

test('the errors for a UTF-16 file show column names on one line, and no position in the temporary UTF-8 copy', async () => {
  const path = join(machine.home, 'survey.csv')
  writeFileSync(path, Buffer.from('\ufeffexternal_user_id,"weight\nkg"\n4711,x\n', 'utf16le'))
  const { stderr } = await importing(path, '--map', 'weight kg=weight', '--dry-run')
  expect(stderr).toContain('line 3, user "4711", column weight kg: value must be a whole number, got "x"')
})

test('the plan of an import shows a column name with a line break on one line', async () => {
  const path = write('survey.csv', ['4711,72'], 'external_user_id,"weight\nkg"')
  const { stdout } = await importing(path, '--map', 'weight kg=weight', '--dry-run')
  expect(stdout).toContain('external_user_id, weight kg as weight')
})

test('a dry run without --results writes no file and states this in its output', async () => {
  const path = write('bad.csv', [rows[0]!, '4712,weight,1.5'])
  const { exitCode, stderr } = await importing(path, '--dry-run')
  expect(exitCode).toBe(2)
  expect(stderr).toContain(`To write all invalid rows to a file, add --results ${machine.home}`)
  expect(existsSync(join(machine.home, 'bad.rejects.csv'))).toBe(false)
})

test('--skip-invalid sends the valid rows, and the rejected rows can be fixed and imported', async () => {
  const path = write('bad.csv', [...rows, '4712,weight,1.5', '9999,age,3'])
  const first = await importing(path, '--skip-invalid')
  expect(first.exitCode).toBe(10)
  expect(first.stderr).toContain('5 answers (excluding 1 invalid) for 3 users in 3 requests')
  expect(first.stderr).toContain('4 of 6 answers accepted, 2 rejected, 0 unknown, 0 unsent')
  const rejects = readFileSync(join(machine.home, 'bad.rejects.csv'), 'utf8')
  expect(rejects).toContain('4712,weight,1.5,6,value,')
  expect(rejects).toContain('9999,age,3,7,,refused_404,user not found')
  await machine.facescan('users create --external-user-id 9999')
  const fixed = join(machine.home, 'fixed.csv')
  writeFileSync(fixed, rejects.replace('1.5', '2'))
  const second = await importing(fixed, '--results', join(machine.home))
  expect(second.exitCode, second.stderr).toBe(0)
  expect((await stored('4712')).sort()).toEqual(['height 182', 'weight 2'])
  expect(await stored('9999')).toEqual(['age 3'])
})

test('if the content of a file was already imported, even from another path, the file is imported only with --again', async () => {
  await importing(file)
  const copy = join(machine.home, 'copy.csv')
  writeFileSync(copy, readFileSync(file))
  for (const path of [file, copy]) {
    const { exitCode, stderr } = await importing(path)
    expect(exitCode).toBe(12)
    expect(stderr).toContain('was already imported')
  }
  expect((await importing(file, '--again')).exitCode).toBe(0)
  expect(await stored('4712')).toEqual(['height 182', 'height 182'])
})

test('--batch-size is at most 10000', async () => {
  const { exitCode, stderr } = await importing(file, '--batch-size', '10001')
  expect(exitCode).toBe(2)
  expect(stderr).toContain('--batch-size: "10001" is more than the maximum of 10000')
  expect((await importing(file, '--batch-size', '10000')).exitCode).toBe(0)
})

test('an import reads standard input', async () => {
  const words = ['answers', 'import', '-', '--timezone', 'UTC', '--yes', '--results', machine.home]
  const { exitCode, stderr } = await machine.facescan(words, { stdin: readFileSync(file, 'utf8') })
  expect(exitCode, stderr).toBe(0)
  expect((await stored('4711')).length).toBe(3)
  expect(readdirSync(machine.home)).toContain('answers.summary.json')
})

test('an import counts each answer as one row if the file has one column per lookup key', async () => {
  const path = write('wide.csv', ['4711,171,64', '4712,,70'], 'external_user_id,height,weight')
  const { exitCode, stdout } = await importing(path, '--json')
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ rows: 3, accepted: 3, requests: 2 })
  expect(await stored('4712')).toEqual(['weight 70'])
})

test('an import of a file without rows is finished at once', async () => {
  const { exitCode, stdout, stderr } = await importing(write('none.csv', []), '--json')
  expect(exitCode).toBe(0)
  expect(stderr).toContain('0 answers')
  expect(JSON.parse(stdout)).toMatchObject({ status: 'finished', rows: 0, accepted: 0, requests: 0 })
})

test('if all rows are invalid, --skip-invalid writes all rows to the rejects file and exits with 10', async () => {
  const path = write('bad.csv', ['4711,height,1.5', '4712,height,x'])
  const { exitCode, stdout } = await importing(path, '--skip-invalid', '--results', machine.home, '--json')
  expect(exitCode).toBe(10)
  const summary = JSON.parse(stdout)
  expect(summary).toMatchObject({
    status: 'finished',
    rows: 2,
    accepted: 0,
    rejected: 2,
    unknown: 0,
    unsent: 0,
  })
  expect(readFileSync(summary.rejects_file, 'utf8').split('\n').slice(1, 3)).toEqual([
    expect.stringContaining('4711,height,1.5,2,value,value_invalid'),
    expect.stringContaining('4712,height,x,3,value,value_invalid'),
  ])
  expect(JSON.parse(readFileSync(join(machine.home, 'bad.summary.json'), 'utf8'))).toEqual(summary)
})

test('the state directory contains no answers after an import', async () => {
  await importing(file)
  const state = join(machine.home, 'state', 'imports')
  const texts = readdirSync(state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(texts.length).toBeGreaterThan(0)
  for (const text of texts) expect(text).not.toMatch(/\b(?:4711|4712|171)\b|height":/)
})

test('"imports list", "imports show", and "imports remove" work for a finished import', async () => {
  expect((await machine.facescan('imports list')).stderr).toContain('facescan answers import')
  await importing(file)
  const [listed] = JSON.parse((await machine.facescan('imports list --json')).stdout)
  expect(listed).toMatchObject({ status: 'finished', source: file, rows: 4, accepted: 4, unsent: 0 })
  const shown = await machine.facescan(`imports show ${listed.id.slice(0, 4)} --json`)
  expect(JSON.parse(shown.stdout)).toEqual(listed)
  expect((await machine.facescan('imports show nonsense')).exitCode).toBe(2)
  expect((await machine.facescan(`imports resume ${listed.id}`)).exitCode).toBe(12)
  const unconfirmed = await machine.facescan(`imports remove ${listed.id}`)
  expect(unconfirmed).toMatchObject({ exitCode: 12 })
  expect(unconfirmed.stderr).toContain(
    'If the record of an import is removed, the same file can be imported again. To remove the record, add --yes.',
  )
  const state = join(machine.home, 'state', 'imports')
  const stored = () => readdirSync(state).filter((name) => name.includes(listed.id.slice(0, 8)))
  expect(stored()).not.toEqual([])
  expect((await machine.facescan(`imports remove ${listed.id} --yes`)).exitCode).toBe(0)
  expect(stored()).toEqual([])
  expect((await machine.facescan('imports list --json')).stdout).toBe('[]\n')
  expect(existsSync(file)).toBe(true)
})

test('result files are named after the input and do not replace result files of other imports', async () => {
  const results = () => readdirSync(machine.home).filter((name) => /rejects|summary/.test(name))
  const read = (name: string) => readFileSync(join(machine.home, name), 'utf8')
  await importing(write('first.csv', ['nobody,height,171', '4711,age,41']))
  const first = read('first.rejects.csv')
  expect(first).toContain('nobody,height,171')
  await importing(write('second.CSV', ['no-one,weight,64', '4712,age,44']))
  expect(read('second.rejects.csv')).toContain('no-one,weight,64')

  await machine.facescan('users create --external-user-id nobody')
  const rejects = join(machine.home, 'first.rejects.csv')
  writeFileSync(rejects, `${first}no-one,age,41,9,,,\n`)
  const again = await importing(rejects, '--json')
  const { id, rejects_file } = JSON.parse(again.stdout)
  expect(rejects_file).toBe(join(machine.home, 'first.rejects-2.csv'))
  const shown = await machine.facescan(`imports show ${id} --json`)
  expect(JSON.parse(shown.stdout)).toMatchObject({ accepted: 1, rejected: 1, rejects_file })
  expect(await stored('nobody')).toEqual(['height 171'])
  expect(read('first.rejects.csv')).toBe(`${first}no-one,age,41,9,,,\n`)
  expect(results().sort()).toEqual(['first.rejects-2.csv', 'first.rejects.csv', 'second.rejects.csv'])
})

test('the next run replaces the rejects file of a dry run or a refused import', async () => {
  const path = write('bad.csv', ['4711,height,x', '4711,age,41', 'nobody,age,41'])
  await importing(path, '--dry-run', '--results', machine.home)
  await importing(path)
  // A dry run without --results does not write or remove the rejects file.
  await importing(path, '--dry-run')
  expect(existsSync(join(machine.home, 'bad.rejects.csv'))).toBe(true)
  const { stdout } = await importing(path, '--skip-invalid', '--json')
  expect(JSON.parse(stdout).rejects_file).toBe(join(machine.home, 'bad.rejects.csv'))
  expect(readdirSync(machine.home).filter((name) => name.includes('rejects'))).toEqual(['bad.rejects.csv'])
  expect(readFileSync(join(machine.home, 'bad.rejects.csv'), 'utf8').trim().split('\n')).toHaveLength(3)
})

test('if an import has one row, its report uses the singular', async () => {
  const { stderr } = await importing(write('single.csv', ['missing-user,height,171']))
  expect(stderr).toContain('0 of 1 answer accepted, 1 rejected, 0 unknown, 0 unsent')
})

test('a results directory that is not writable stops an import before anything is sent', async () => {
  for (const folder of ['/proc/results', file]) {
    const { exitCode, stderr } = await importing(file, '--results', folder)
    expect(exitCode).toBe(13)
    expect(stderr).toContain(`cannot write ${folder} (`)
    expect(stderr).toContain('another directory with --results')
    expect(await stored('4711')).toEqual([])
  }
})

test('an import does not replace or follow a symbolic link at the path of its summary', async () => {
  const elsewhere = join(machine.home, 'elsewhere')
  symlinkSync(elsewhere, join(machine.home, 'answers.summary.json'))
  expect((await importing(file, '--results', machine.home)).exitCode).toBe(0)
  expect(existsSync(elsewhere)).toBe(false)
  expect(lstatSync(join(machine.home, 'answers.summary.json')).isFile()).toBe(false)
  expect(lstatSync(join(machine.home, 'answers.summary-2.json')).isFile()).toBe(true)
})

test.each([
  ['long', 'external_user_id,lookup_key,value', ['late-1,height,171', 'late-2,weight,64']],
  ['wide', 'external_user_id,height,weight,badge', ['late-3,171,,17', 'late-4,,64,18']],
])(
  'after an import in the %s form for unknown users, the suggested command creates the users and saves their answers',
  async (form, header, lines) => {
    const path = write(`late-${form}.csv`, lines, header)
    const first = await importing(path, ...(form === 'wide' ? ['--ignore-columns', 'badge'] : []))
    expect(first.exitCode, first.stderr).toBe(10)
    const [, command = ''] = /save their answers: facescan (.*)/.exec(first.stderr) ?? []
    const { exitCode, stderr } = await machine.facescan(`${command} --yes`)
    expect(exitCode, stderr).toBe(0)
    const [one, two] = form === 'long' ? ['late-1', 'late-2'] : ['late-3', 'late-4']
    expect(await stored(one)).toEqual(['height 171'])
    expect(await stored(two)).toEqual(['weight 64'])
  },
)

test.each([
  ['long', 'external_user_id,lookup_key,value', ['new-1,height,171', 'new-2,weight,64']],
  ['wide', 'external_user_id,height,weight,badge', ['new-1,171,,17', 'new-2,,64,18']],
])(
  'the rejects file of an import in the %s form is accepted by "users import" and "answers import"',
  async (_, header, lines) => {
    const path = write('staff.csv', lines, header)
    const ignored = header.includes('badge') ? ['--ignore-columns', 'badge'] : []
    const first = await importing(path, ...ignored)
    expect(first.exitCode, first.stderr).toBe(10)
    const rejects = join(machine.home, 'staff.rejects.csv')
    const flags = header.includes('badge') ? ' --ignore-columns badge' : ''
    expect(first.stderr).toContain(
      `Create these users and save their answers: facescan users import ${rejects} --with-answers${flags} --timezone`,
    )
    const edited = join(machine.home, 'edited.csv')
    writeFileSync(edited, readFileSync(rejects, 'utf8').replace(',weight,', ',wieght,'))
    if (header.includes('weight')) {
      const refused = await importing(edited, ...ignored)
      expect(refused.exitCode, refused.stderr).toBe(2)
      expect(refused.stderr).toContain('"wieght" contains numbers')
    }
    const users = await machine.facescan(['users', 'import', rejects, '--yes'])
    expect(users.exitCode, users.stderr).toBe(0)
    const second = await importing(rejects, ...ignored)
    expect(second.exitCode, second.stderr).toBe(0)
    expect(await stored('new-1')).toEqual(['height 171'])
    expect(await stored('new-2')).toEqual(['weight 64'])
  },
)

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createMachine, type Machine } from '../../helpers/facescan.ts'
import { asText } from '../../helpers/messages.ts'

let machine: Machine

beforeEach(() => {
  machine = createMachine()
})

function fileOf(content: string, name = 'staff.csv'): string {
  const path = join(machine.home, name)
  writeFileSync(path, content)
  return path
}

async function run(line: string, exitCode = 0) {
  const ran = await machine.facescan(line)
  expect(ran.exitCode, ran.stderr).toBe(exitCode)
  return ran
}

const exists = async (id: string) => (await machine.facescan(['users', 'get', id])).exitCode === 0

test('"users delete --only created" deletes only the users that an import created', async () => {
  await run('users create old')
  await run(`users import ${fileOf('external_user_id\nold\nnew1\nnew2\n')}`)
  const created = join(machine.home, 'staff.users.csv')
  expect(
    readFileSync(created, 'utf8')
      .replace(/[0-9a-f-]{36}/g, 'UUID')
      .split('\r\n'),
  ).toEqual([
    'external_user_id,user_id,status',
    'old,UUID,existing',
    'new1,UUID,created',
    'new2,UUID,created',
    '',
  ])
  expect((await run(`users get --users ${created} -o csv --no-header`)).stdout.split('\r\n')).toHaveLength(4)
  const misspelled = await run(`users delete --users ${created} --only creatd --confirm=0`, 2)
  expect(misspelled.stderr).toContain('no user in staff.users.csv has the status "creatd"')
  expect(misspelled.stderr).toContain('The statuses in the file are: existing, created')
  const planned = await run(`users delete --users ${created} --only created --dry-run`)
  expect(planned.stderr).toContain('would delete 2 users')
  await run(`users delete --users ${created} --only created --confirm=2`)
  expect(await Promise.all(['old', 'new1', 'new2'].map(exists))).toEqual([true, false, false])
  expect((await run('users delete old --only created --yes', 2)).stderr).toContain('and needs --users')
})

test('if the two IDs of a row belong to different users, "users delete" refuses the row', async () => {
  const ids: string[] = []
  for (const id of ['a', 'b']) ids.push((await run(`users create ${id} --jq .user_id`)).stdout.trim())
  const swapped = fileOf(
    `external_user_id,user_id\na,${ids[1]}\nb,${ids[1]?.replaceAll('-', '').toUpperCase()}\n`,
  )
  const { stderr } = await run(`users delete --users ${swapped} --confirm=2`, 10)
  expect(stderr).toContain('1 of 2 users failed')
  expect(readFileSync(join(machine.home, 'staff.deleted.errors.csv'), 'utf8')).toContain(
    'belong to different users',
  )
  expect([await exists('a'), await exists('b')]).toEqual([true, false])
})

test('"users import --existing update --dry-run" prints what would change and changes nothing', async () => {
  await run('users create same --sex F --language nl')
  await run('users create other --sex F --language nl')
  const path = fileOf('external_user_id,sex,language\nsame,female,NL\nother,M,fr\nnew,F,\n')
  const { stderr } = await run(`users import ${path} --existing update --dry-run`)
  expect(stderr).toContain('  line 3: sex F → M, language nl → fr\n')
  expect(stderr).toContain('would import 3 users in SANDBOX-DEV (the built-in sandbox)')
  expect(stderr).toContain(
    'First users to be sent:\n  line 2: same, sex F, language nl\n  line 3: other, sex M, language fr\n',
  )
  expect(stderr).toMatch(/: 1 unchanged, 1 changed, 1 created; nothing was changed/)
  expect((await run('users get other --jq .sex')).stdout).toContain('F')
  expect(await exists('new')).toBe(false)
})

test('the error for an invalid date in a list shows the line number, and the date as it is written in the list', async () => {
  const path = fileOf('external_user_id;birth date\na;29-02-1984\nb;31-04-1984\n')
  const refused = await run(`users import ${path} --date-format DD-MM-YYYY`, 2)
  expect(refused.stderr).toContain('line 3: birth_date "31-04-1984" is not a date in the format DD-MM-YYYY')
  await run(`users import ${path} --date-format DD-MM-YYYY --skip-invalid`)
  expect((await run('users get a --jq .birth_date')).stdout.trim()).toBe('1984-02-29')
})

test.each([
  [
    'external_user_id,birth date\na,03/04/1984\nb,05/06/1984\n',
    /--date-format DD\/MM\/YYYY \(03\/04\/1984 is 1984-04-03\) or --date-format MM\/DD\/YYYY/,
  ],
  [
    'external_user_id,sex\na,H\nb,M\nc,?\n',
    /Map every value \(VALUE: .*F.*, or empty for no value\): --values 'sex:H=M,M=F,\?=VALUE'/,
  ],
  ['external_user_id,sex\na,H\nb,F\n', /--values sex:H=M,F=F/],
  ['external_user_id,sex\na,K\nb,M\n', /--values sex:K=F,M=M/],
  ['external_user_id,birth date\na,3.4.84\n', /two-digit year/],
  [
    'Kundennummer;Geburtsdatum;Geschlecht\n17;13.03.1980;w\n',
    /--map Kundennummer=external_user_id --map Geburtsdatum=birth_date --map Geschlecht=sex --date-format DD.MM.YYYY --values sex:w=F/,
  ],
  [
    'Numéro client;Date de naissance;Sexe\n17;13/03/1980;H\n18;01/02/1999;F\n',
    /--map 'Numéro client=external_user_id' --map 'Date de naissance=birth_date' --map Sexe=sex --date-format DD\/MM\/YYYY --values sex:H=M,F=F/,
  ],
  [
    'Medarbejdernr.;Fødselsdato;Køn\n17;13-03-1980;K\n',
    /--map Medarbejdernr.=external_user_id --map 'Fødselsdato=birth_date' --map 'Køn=sex' .*--values sex:K=F/,
  ],
  ['external_user_id,birth date\na,19800313\n', /--date-format YYYYMMDD/],
  ['external_user_id,language\na,Nederlands\nb,fr-FR\n', /--values language:Nederlands=nl,fr-FR=fr/],
  [
    'external_user_id;Sprache\na;de\nb;en\n',
    /"de" \(1 row\), "en" \(1 row\); accepted: en, nl, fr, da, sv\. Map every value \(VALUE: .*\): --values 'language:de=VALUE,en=en'/,
  ],
  [
    'Afdeling:;HR;;\n;;;\nPersoneelsnummer;Naam;Taal;Land\n17;Ann;nl;NL\n',
    /--map Personeelsnummer=external_user_id --map Taal=language/,
  ],
  ['Afdeling:;HR;;\n;;;\nPersoneelsnummer;Naam;Taal;Land\n17;Ann;nl;NL\n', /--header-line 3/],
  ['Matrikel;Född\n17;x\n', /--map Matrikel=external_user_id/],
])(
  'the error of "users import" for an unclear file suggests the flags to read it: %j',
  async (content, message) => {
    const { stderr } = await run(`users import ${fileOf(content)}`, 2)
    expect(stderr).toMatch(message)
  },
)

test('if unknown columns contain answers, the error shows a command that saves them and a command that ignores them', async () => {
  for (const command of ['users import', 'invite']) {
    const file = fileOf('external_user_id,Body height (cm),Gewicht\na,181,72\n')
    const { stderr } = await run(`${command} ${file}`, 2)
    const saving = `To save the answers in the file: facescan users import ${file} --with-answers`
    expect(asText(stderr)).toContain(`map or ignore them. ${saving}`)
    expect(asText(stderr)).toContain(`then run: facescan ${command} ${file} --ignore-columns`)
    const other = await run(`${command} ${fileOf('external_user_id,Kosten\na,181\n')}`, 2)
    expect(other.stderr).toContain('map or ignore it')
    expect(other.stderr).not.toContain('--with-answers')
  }
})

test('the error for IDs without their leading zeros explains --ids pad:N and --ids keep', async () => {
  const { stderr } = await run(`users import ${fileOf('external_user_id\n000101\n000102\n103\n')}`, 2)
  expect(asText(stderr)).toContain(
    'If a spreadsheet removed the leading zeros, use --ids pad:6 (103 becomes 000103). If the IDs have different lengths, use --ids keep',
  )
})

test('if each date in a column has the time 00:00, "users import" accepts the column', async () => {
  await run(
    `users import ${fileOf('external_user_id,birth_date\na,1980-03-13 00:00:00\nb,1980-03-14T00:00:00Z\n')}`,
  )
  expect((await run('users get b --jq .birth_date')).stdout.trim()).toBe('1980-03-14')
})

test('--save-mapping saves the flags that describe a file, and --mapping applies the saved flags to another file', async () => {
  const header = 'Personeelsnummer;Geboortedatum;Geslacht;Kosten\n'
  const mapping = join(machine.home, 'staff.mapping.json')
  const flags =
    '--map Personeelsnummer=external_user_id --map Geboortedatum=birth_date --map Geslacht=sex --ignore-columns Kosten --date-format DD-MM-YYYY --values sex:V=F,M=M'
  await run(`users import ${fileOf(`${header}a;13-03-1980;V;100\n`)} ${flags} --save-mapping ${mapping}`)
  expect(JSON.parse(readFileSync(mapping, 'utf8'))).toEqual({
    columns: { Personeelsnummer: 'external_user_id', Geboortedatum: 'birth_date', Geslacht: 'sex' },
    values: { sex: { V: 'F', M: 'M' } },
    date_format: 'DD-MM-YYYY',
    ignore_columns: ['Kosten'],
  })
  await run(`users import ${fileOf(`${header}b;14-03-1980;M;100\n`, 'next.csv')} --mapping ${mapping}`)
  expect(JSON.parse((await run('users get b --json')).stdout)).toMatchObject({
    sex: 'M',
    birth_date: '1980-03-14',
  })
  const again = await run(
    `users import ${fileOf(`${header}c;14-03-1980;M;1\n`)} --mapping ${mapping} --ids keep --save-mapping ${mapping}`,
    2,
  )
  expect(again.stderr).toContain('already exists')
  for (const [text, message] of [
    ['{"column":{}}', 'unknown key "column"'],
    [`{"${'k'.repeat(40)}":1}`, 'unknown key of 40 characters'],
    ['{"date_format":"x"}', '"date_format" is not valid'],
  ])
    expect((await run(`users import x.csv --mapping ${fileOf(text!, 'bad.json')}`, 2)).stderr).toContain(
      message,
    )
  // The device /dev/zero never ends, so it must be refused before it is read.
  expect((await run('users import x.csv --mapping /dev/zero', 2)).stderr).toContain('is not a regular file')
})

test('with --dry-run, --save-mapping only prints the name of the file that it would write', async () => {
  const mapping = join(machine.home, 'dry.json')
  const command = `users import ${fileOf('external_user_id;sex\na;V\n')} --values sex:V=F --save-mapping ${mapping}`
  const { stderr } = await run(`${command} --dry-run`)
  expect(stderr).toContain(`dry run: the settings would be saved in ${mapping}\n`)
  expect(existsSync(mapping)).toBe(false)
  await run(command)
  expect(existsSync(mapping)).toBe(true)
})

test('a note names columns in --ignore-columns that the file does not have', async () => {
  const list = fileOf('external_user_id;Kosten\na;1\n')
  const note = '--ignore-columns: staff.csv has no column "Kost", "Loon"'
  expect((await run(`users import ${list} --ignore-columns kosten,Kost,Loon`)).stderr).toContain(`${note}\n`)
  expect((await run(`users import ${list} --ignore-columns kosten --renew`)).stderr).not.toContain(
    'no column',
  )
  const answers = fileOf('external_user_id;height;Kosten\na;180;1\n')
  const imported = await run(`answers import ${answers} --timezone UTC --ignore-columns Kosten,Kost,Loon`)
  expect(imported.stderr).toContain(`${note}\n`)
})

const sexOf = async (id: string) => (await run(`users get ${id} --jq .sex`)).stdout.trim()

test('several --values flags for the same field are merged', async () => {
  const list = fileOf('external_user_id,sex\na,w\nb,m\nc,x\n')
  await run(`users import ${list} --values sex:w=F --values sex:m=M,x= --values sex:W=F`)
  expect(await Promise.all(['a', 'b', 'c'].map(sexOf))).toEqual(['F', 'M', 'null'])
})

test('--values replaces the saved meaning of a text, and keeps the other saved meanings', async () => {
  const mapping = fileOf('{"values":{"sex":{"w":"F","M":"F"}}}', 'staff.json')
  const list = fileOf('external_user_id,sex\na,w\nb,m\nc,x\n')
  await run(`users import ${list} --mapping ${mapping} --values sex:m=M --values sex:x=`)
  expect(await Promise.all(['a', 'b', 'c'].map(sexOf))).toEqual(['F', 'M', 'null'])
})

test.each(['--values sex:w=F --values sex:W=M', '--values sex:w=F,W=M'])(
  '"users import %s", in which a value has two meanings, is refused',
  async (flags) => {
    const { stderr } = await run(`users import ${fileOf('external_user_id,sex\na,w\n')} ${flags}`, 2)
    expect(stderr).toContain('--values maps the sex "W" to both F and M')
    expect(await exists('a')).toBe(false)
  },
)

test('--jq filters the JSON summary of "users import"', async () => {
  expect((await run(`users import ${fileOf('external_user_id\nnew1\nnew2\n')} --jq .done`)).stdout).toBe(
    '2\n',
  )
})

test.each(['#N/A', '#NV', '5.002E+03', '5,002E+03', 'TRUE', 'WAAR'])(
  'the error of "users import" for the ID %s names the line, and --skip-invalid skips the row',
  async (id) => {
    const path = fileOf(`external_user_id;sex\nfine;F\n${id};F\n`)
    const refused = await run(`users import ${path}`, 2)
    expect(refused.stderr).toContain('line 3')
    expect(refused.stderr).toContain('--ids exact')
    expect(await exists('fine')).toBe(false)
    await run(`users import ${path} --skip-invalid`)
    expect([await exists('fine'), await exists(id)]).toEqual([true, false])
  },
)

test('"users import" removes spaces around IDs and accepts a column "Birth date"', async () => {
  const path = fileOf('External User ID,Birth date \n 000125 ,1984-02-29\n\u00a0000126,\n')
  await run(`users import ${path}`)
  expect(await Promise.all(['000125', '000126', ' 000125 '].map(exists))).toEqual([true, true, false])
  expect((await run('users get 000125 --jq .birth_date')).stdout.trim()).toBe('1984-02-29')
})

test('users whose IDs look damaged can be read and deleted with a list', async () => {
  const path = fileOf('external_user_id\n#N/A\n" b "\n')
  await run(`users import ${path} --ids exact`)
  expect([await exists('#N/A'), await exists(' b ')]).toEqual([true, true])
  await run(`scan-url --users ${path} --ids exact -o csv`)
  const damaged = fileOf('external_user_id\n#N/A\n', 'damaged.csv')
  await run(`users delete --users ${damaged} --confirm=1`)
  expect(await exists('#N/A')).toBe(false)
})

test('"users import" rejects two rows with the same ID only if their other cells differ', async () => {
  const path = fileOf('external_user_id,birth_date,note\nQ1,1990-01-01,x\nQ2,1990-01-01,x\nQ1,1991-01-01,x\n')
  const refused = await run(`users import ${path}`, 2)
  expect(refused.stderr).toContain('line 4: the same user ID as on line 2, with different data')
  expect(refused.stderr).toContain('2 invalid rows')
  await run(`users import ${path} --skip-invalid --json`)
  expect([await exists('Q1'), await exists('Q2')]).toEqual([false, true])
  const equal = fileOf('external_user_id,birth_date,note\nQ3,1990-01-01,x\nQ3,1990-01-01,y\n', 'equal.csv')
  const plan = await run(`users import ${equal} --dry-run`)
  expect(plan.stderr).toContain('1 row repeats an earlier row; each user counts once')
  expect(plan.stderr).toContain('would import 1 user')
  await run(`users import ${equal}`)
})

test('"users import" rejects all rows for an ID if one row differs', async () => {
  const path = fileOf('external_user_id,sex\nQ5,F\nQ5,F\nQ6,M\nQ5,M\n')
  const refused = await run(`users import ${path}`, 2)
  expect(refused.stderr).toContain('3 invalid rows')
  await run(`users import ${path} --skip-invalid`)
  expect([await exists('Q5'), await exists('Q6')]).toEqual([false, true])
})

test('a list with an unclosed quote is refused, even with --skip-invalid', async () => {
  const path = fileOf('external_user_id,sex\na,F\n"b,F\nc,F\n')
  const { stderr } = await run(`users import ${path} --skip-invalid`, 2)
  expect(stderr).toContain('the quotation mark on line 3 has no closing quotation mark')
  expect(await exists('a')).toBe(false)
})

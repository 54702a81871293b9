import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'

const header = 'external_user_id,lookup_key,value,_line,_column,_code,_message'
const row = '4711,height,171,2,,unproven,"sent, but the outcome is unknown: a, b"'
const object = { external_user_id: '4711', lookup_key: 'height', value: 171, _line: 2, _column: '' }
const line = JSON.stringify({ ...object, _code: 'superseded', _message: 'later' })

test.each([
  ['CSV', 'answers.unknown.csv', `${header}\n${row}\n`],
  ['JSON lines', 'answers.unknown.jsonl', `${line}\n`],
  ['CSV with another name', 'fixed.csv', `${header}\n4711,weight,64,3,value,value_invalid,no\n${row}\n`],
])('a file with unknown rows is imported only with --resend-unknown (%s)', async (_, name, text) => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  const file = join(machine.home, name)
  writeFileSync(file, text)
  const words = ['answers', 'import', file, '--timezone', 'UTC', '--yes']
  const refused = await machine.facescan(words)
  expect(refused.exitCode).toBe(12)
  expect(refused.stderr).toContain(`1 row in ${name} may already be saved`)
  const sent = await machine.facescan([...words, '--resend-unknown'])
  expect(sent.exitCode, sent.stderr).toBe(0)
})

test('importing a file of rejected rows does not require --resend-unknown', async () => {
  const machine = createMachine()
  await machine.facescan('users create 4711')
  const file = join(machine.home, 'answers.rejects.csv')
  writeFileSync(file, `${header}\n4711,height,171,2,value,value_invalid,was 1.5\n`)
  const { exitCode, stderr } = await machine.facescan([
    'answers',
    'import',
    file,
    '--timezone',
    'UTC',
    '--yes',
  ])
  expect(exitCode, stderr).toBe(0)
})

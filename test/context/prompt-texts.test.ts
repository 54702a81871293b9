import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMachine } from '../helpers/facescan.ts'
import { workbook } from '../helpers/workbook.ts'

const { facescan, home } = createMachine({ ACCESSIBLE: '1' })

test('a prompt escapes invisible characters in its choices, and shortens a choice of 60,000 characters', async () => {
  const file = join(home, 'staff.xlsx')
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`
  const rows = ['external_user_id', '4711'].map((text) => `<row>${cell(text)}</row>`).join('')
  const names = ['Hidden', 'Staff\u2800\u202e', 'x'.repeat(60_000)]
  const sheets = names.map((name) => ({ name, rows, state: name === 'Hidden' ? 'hidden' : 'visible' }))
  writeFileSync(file, workbook({ sheets }))
  const { stderr } = await facescan(`metrics --users ${file} --save-mapping ${home}/m.json`, {
    terminal: true,
    columns: 200,
    stdin: '1\n',
  })
  expect(stderr).toContain('  1. Staff\\u2800\\u202e\n')
  expect(stderr).toContain(`  2. ${'x'.repeat(60)}… (60,000 characters)\n`)
})

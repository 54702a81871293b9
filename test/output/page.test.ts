import { expect, test } from 'vitest'
import { readPage } from '../../src/output/page.ts'

test('a help page is parsed into name, summary, and sections with headings, text, examples, and rows', () => {
  const markdown = [
    '# Formats: output formats',
    'Text that continues\non the next line.',
    '- csv: comma-separated;\n  `--excel` changes it\n- {"error":{}}',
    '## Filter',
    '    facescan metrics 4711\n    facescan token 4711',
    'A second paragraph.',
  ].join('\n\n')
  expect(readPage(`${markdown}\n`)).toEqual({
    name: 'Formats',
    summary: 'output formats',
    sections: [
      {
        text: 'Text that continues on the next line.',
        rows: [
          ['csv', 'comma-separated; `--excel` changes it'],
          ['{"error":{}}', ''],
        ],
      },
      { heading: 'Filter', examples: ['facescan metrics 4711', 'facescan token 4711'] },
      { text: 'A second paragraph.' },
    ],
  })
})

test('a placeholder in a help page is replaced by a computed section, and the heading above the placeholder is kept', () => {
  const inserted = { '{{codes}}': [{ rows: [['0', 'success']] as const }, { text: 'more' }] }
  expect(readPage('# A: b\n\n## Codes\n\n{{codes}}', inserted).sections).toEqual([
    { heading: 'Codes', rows: [['0', 'success']] },
    { text: 'more' },
  ])
})

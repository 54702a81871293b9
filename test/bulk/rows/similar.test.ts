import { expect, test } from 'vitest'
import { keyIn, similarTo } from '../../../src/bulk/rows/similar.ts'

const known = ['height', 'weight']

test.each([
  ['Weight (kg)', '', 0, '', 'weight'],
  ['Weight', ' ', 190, 'kg', 'weight'],
  ['Weight', ' ', 200_000, 'kg', undefined],
  ['a', ' (', 200_000, 'b', undefined],
])(
  'if a column name consists of "%s", then "%s" %i times, then "%s", its most similar lookup key is %s',
  (start, part, count, end, expected) => {
    expect(similarTo(`${start}${part.repeat(count)}${end}`, 'answers', known)).toBe(expected)
  },
)

test.each([
  ['', 0, 'weight'],
  ['x', 180, 'weight'],
  [' (', 200_000, undefined],
])(
  'if a column name is "What is your weight?" followed by "%s" %i times, it contains the lookup key %s',
  (part, count, expected) => {
    expect(keyIn(`What is your weight?${part.repeat(count)}`, { kind: 'answers', known })).toBe(expected)
  },
)

test.each([
  ['體重', '身高'],
  ['Βάρος', 'Ύψος'],
  ['Вага', 'Зріст'],
  ['Вес (кг)', 'Рост (см)'],
  ['Gewicht in kg', 'Körpergröße in cm'],
  ['משקל', 'גובה'],
  ['الوزن', 'الطول'],
  ['وزن', 'قد'],
  ['वजन', 'ऊंचाई'],
  ['น้ำหนัก (กก.)', 'ส่วนสูง (ซม.)'],
  ['Cân nặng', 'Chiều cao'],
])('the columns %s and %s of a questionnaire are probably weight and height', (weight, height) => {
  expect([weight, height].map((name) => similarTo(name, 'answers', known))).toEqual(['weight', 'height'])
})

test('the columns Wage and Sec of a payroll are not read as age and sex, although only one letter is different', () => {
  expect([similarTo('Wage', 'answers', ['age']), similarTo('Sec', 'users', [])]).toEqual([
    undefined,
    undefined,
  ])
})

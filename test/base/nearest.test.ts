import { expect, test } from 'vitest'
import { didYouMean, nearest } from '../../src/base/nearest.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell']

test.each([
  ['fisch', shells, 'fish'],
  ['pwershel', shells, 'powershell'],
  ['wieght', ['height', 'weight', 'age'], 'weight'],
  ['lsit', ['list', 'latest'], 'list'],
  ['usres', ['users', 'api'], 'users'],
  ['heart_rat', ['heart_rate_variability', 'heart_rate'], 'heart_rate'],
  ['HEIGHT', ['height', 'weight'], 'height'],
  ['amsterdam', ['Europe/Athens', 'Europe/Amsterdam'], 'Europe/Amsterdam'],
  ['--external-id', ['--errors', '--external-user-id'], '--external-user-id'],
  ['--out', ['--output'], '--output'],
])('the unknown word "%s" and the candidates %j give the suggestion "%s"', (word, candidates, meant) => {
  expect(nearest(word, candidates)).toBe(meant)
  expect(didYouMean(word, candidates)).toBe(`; did you mean "${meant}"?`)
})

test.each([
  ['tcsh', shells],
  ['--chart', ['--shard', '--errors']],
  ['ab', ['ba', 'abcd']],
  ['xml', ['table', 'json', 'csv']],
  ['anything', []],
])('the unknown word "%s" and the candidates %j give no suggestion', (word, candidates) => {
  expect(nearest(word, candidates)).toBeUndefined()
  expect(didYouMean(word, candidates)).toBe('')
})

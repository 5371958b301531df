import { expect, test } from 'vitest'
import { mostLevels, nestedTooDeeply } from './json-text'

const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([lists, objects])('levels are counted, whatever nests', (nested) => {
  expect(nestedTooDeeply(nested(mostLevels))).toBe(false)
  expect(nestedTooDeeply(nested(mostLevels + 1))).toBe(true)
  expect(nestedTooDeeply(nested(1_000_000))).toBe(true)
})

test('what stands beside each other, or in texts, nests nothing', () => {
  const lots = 1_000
  expect(nestedTooDeeply(`[${Array(lots).fill('[]').join(',')}]`)).toBe(false)
  expect(nestedTooDeeply(JSON.stringify({ a: '['.repeat(lots) }))).toBe(false)
  expect(nestedTooDeeply(JSON.stringify({ a: `\\"${'{'.repeat(lots)}\\` }))).toBe(false)
  expect(nestedTooDeeply(JSON.stringify(['\\', JSON.parse(lists(mostLevels))]))).toBe(true)
})

import { expect, test } from 'vitest'
import { conditionWords } from './condition-words'

test('a condition reads as a sentence', () => {
  const path = '$.amount'
  expect(conditionWords({ path, operator: 'greater-than', value: '100' })).toBe(
    '$.amount is greater than "100"',
  )
  expect(conditionWords({ path, operator: 'missing', value: '' })).toBe('$.amount is missing')
})

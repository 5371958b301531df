import { expect, test } from 'vitest'
import { LongPromptField } from './usd-field'

const typed = (aboveTokens: string, inputPercent: string, outputPercent: string) =>
  LongPromptField.safeParse({ aboveTokens, inputPercent, outputPercent })

test('what long prompts cost is typed as tokens and two percentages, or not at all', () => {
  expect(typed(' 272,000', '200', '150 ').data).toEqual({
    aboveTokens: 272_000,
    inputPercent: 200,
    outputPercent: 150,
  })
  expect(typed('100,000,000', '200', '150').success).toBe(true)
  expect(typed('', ' ', '')).toEqual({ success: true, data: null })
})

test.each([
  ['272000', '200', ''],
  ['', '200', '150'],
  ['0', '200', '150'],
  ['100000001', '200', '150'],
  ['272000', '50', '150'],
  ['272000', '2.5', '150'],
  ['many', '200', '150'],
])('%s, %s and %s are refused', (...texts) => {
  expect(typed(...texts).success).toBe(false)
})

import { expect, test } from 'vitest'
import { PricesInput } from '@/lib/domains/models/schemas'
import { ValidationError } from '@/lib/kernel/errors'
import { parseInput } from '@/lib/kernel/parse-input'
import { unpriced } from '@/lib/protocol/cost/cost'
import { pricesOf, typedPrices } from './price-fields'

const none = typedPrices(unpriced)

function send(typed: Partial<typeof none>) {
  return parseInput(PricesInput, pricesOf({ ...none, ...typed }))
}

function longPrompt(aboveTokens: string, inputPercent: string, outputPercent: string) {
  return send({ longPrompt: { aboveTokens, inputPercent, outputPercent } }).longPrompt
}

function errorsOf(work: () => unknown): Record<string, string> {
  try {
    work()
  } catch (error) {
    if (error instanceof ValidationError) return error.fields
  }
  throw new Error('expected the input to be refused')
}

test('prices are typed in US dollars, and an empty field is unknown', () => {
  expect(send({ input: '0.075', output: ' 3 ' })).toEqual({
    input: 75_000,
    output: 3_000_000,
    cachedInput: null,
    cacheWrite: null,
    reasoning: null,
    longPrompt: null,
  })
  const stored = { ...unpriced, input: 1, longPrompt: longPrompt('100,000,000', '200', '150') }
  expect(pricesOf(typedPrices(stored))).toEqual(stored)
})

test('a value that is no price is refused beside its field', () => {
  expect(errorsOf(() => send({ input: 'cheap' }))).toEqual({
    input: 'Enter US dollars below 1,000,000,000 with up to six decimals, such as 0.075.',
  })
  expect(errorsOf(() => send({ output: '2147.49' }))).toEqual({
    output: 'A price is at most 2,147.48 US dollars per million tokens.',
  })
})

test('the price of long prompts is typed as tokens and two percentages, or not at all', () => {
  expect(longPrompt(' 272,000', '200', '150 ')).toEqual({
    aboveTokens: 272_000,
    inputPercent: 200,
    outputPercent: 150,
  })
  expect(longPrompt('', ' ', '')).toBeNull()
})

test.each([
  ['272000', '200', '', 'outputPercent'],
  ['', '200', '150', 'aboveTokens'],
  ['0', '200', '150', 'aboveTokens'],
  ['100000001', '200', '150', 'aboveTokens'],
  ['272000', '50', '150', 'inputPercent'],
  ['272000', '2.5', '150', 'inputPercent'],
  ['many', '200', '150', 'aboveTokens'],
] as const)('%s, %s and %s are refused at %s', (aboveTokens, input, output, field) => {
  const errors = errorsOf(() => longPrompt(aboveTokens, input, output))
  expect(Object.keys(errors)).toEqual([`longPrompt.${field}`])
})

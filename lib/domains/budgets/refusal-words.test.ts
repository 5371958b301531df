import { expect, test } from 'vitest'
import { refusalWords } from './refusal-words'
import type { BudgetState } from './reserve-in-budgets'

const state: BudgetState = {
  title: 'Daily site budget',
  unit: 'micro-usd',
  amount: 10_000,
  reserved: 0,
  spent: 1_300,
  wanted: 90_000,
  resetsAt: new Date('2026-11-24T00:00:00Z'),
  answer: 'full',
}
const words = (part: Partial<BudgetState>) =>
  refusalWords([{ ...state, ...part }], { modelId: 'm' })
const ending = 'The budget resets at 2026-11-24 00:00 UTC. An admin can raise the budget'

test('the refusal names what is left beside what the next request may use', () => {
  expect(words({})).toBe(
    `Daily site budget has $0.0087 left, but the next request may use up to $0.09. Limit: $0.01, spent: $0.0013. ${ending}, or lower the max output tokens of the configuration.`,
  )
})

test('reserved amounts count neither as left nor as used up', () => {
  expect(words({ unit: 'requests', amount: 2, spent: 1, reserved: 1, wanted: 1 })).toBe(
    `Daily site budget has 0 requests left, but the next request may use up to 1 request. Limit: 2 requests, spent: 1 request, reserved for requests in progress: 1 request. ${ending}.`,
  )
})

test.each([10_000, 10_001])('%i of 10 000 is used up', (spent) => {
  expect(words({ spent })).toMatch(
    /^Daily site budget used up, and the next request may use up to \$0\.09\. Limit: \$0\.01, spent: \$0\.01/,
  )
})

test('a figure is not rounded to one that would have been enough', () => {
  expect(words({ amount: 4_999_900, spent: 0, wanted: 5_000_100 })).toContain(
    'has $4.9999 left, but the next request may use up to $5.0001.',
  )
})

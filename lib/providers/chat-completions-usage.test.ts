import { expect, test } from 'vitest'
import { readChatUsage } from './chat-completions-usage'

const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

test.each([
  ['OpenRouter, in dollars', { cost: 0.00014 }, 140],
  ['a part of a micro-dollar', { cost: 0.0000011 }, 2],
  ['nothing', { cost: 0 }, 0],
  ['xAI, in parts of 10^-10 dollars', { cost_in_usd_ticks: 318_319_000 }, 31_832],
])('the cost that a server reports is kept: %s', (_words, cost, microUsd) => {
  expect(readChatUsage({ usage: { ...counts, ...cost } })).toMatchObject({
    inputTokens: 10,
    reportedCostMicroUsd: microUsd,
  })
})

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 1e15, '0.5', null, {}])(
  'what is no cost is none: %s',
  (cost) => {
    const usage = readChatUsage({ usage: { ...counts, cost } })
    expect(usage).toMatchObject({ inputTokens: 10 })
    expect(usage).not.toHaveProperty('reportedCostMicroUsd')
  },
)

import { describe, expect, it } from 'vitest'
import { readChatUsage } from './chat-completions-usage'
import { tokenCount, usageOf } from './token-count'

describe('tokenCount', () => {
  it.each([
    [0, 0],
    [12.4, 12],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [10_000_000, 10_000_000],
    [10_000_001, null],
    [1e300, null],
    ['12', null],
    [null, null],
    [undefined, null],
    [{}, null],
  ])('%j is %j', (value, expected) => expect(tokenCount(value)).toBe(expected))
})

describe('usageOf', () => {
  it('keeps the parts inside their whole', () => {
    const claimed = { input: 10, output: 5, cached: 8, cacheWrite: 9, reasoning: 50 }
    expect(usageOf(claimed)).toMatchObject({
      cachedInputTokens: 8,
      cacheWriteTokens: 2,
      reasoningTokens: 5,
    })
  })
})

describe('readChatUsage', () => {
  it('counts reasoning that a server counts beside the completion', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 40,
      completion_tokens_details: { reasoning_tokens: 25 },
    }
    expect(readChatUsage({ usage })).toMatchObject({ outputTokens: 30, reasoningTokens: 25 })
  })

  it.each([
    {},
    { usage: null },
    { usage: [] },
    { usage: 'many' },
    { usage: { prompt_tokens: 5 } },
    { usage: { prompt_tokens: -5, completion_tokens: 5 } },
    { usage: { prompt_tokens: 5, completion_tokens: 1e18 } },
  ])('claims nothing from %j', (chunk) => expect(readChatUsage(chunk)).toBeNull())

  it('finds usage where Groq puts it', () => {
    const chunk = { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } }
    expect(readChatUsage(chunk)).toMatchObject({ inputTokens: 3, outputTokens: 4 })
  })
})

import { describe, expect, it } from 'vitest'
import { costMicroUsd } from '@/lib/protocol/cost/cost'
import { countIn, readChatUsage, tokenCount, usageOf } from './token-count'

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
  const fitting = { input: 10, output: 5, cached: 6, cacheWrite: 4, reasoning: 5 }

  it('believes parts that fit into their whole', () => {
    expect(usageOf(fitting)).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cachedInputTokens: 6,
      cacheWriteTokens: 4,
      reasoningTokens: 5,
      estimated: false,
    })
  })

  it.each([
    ['read from a cache', { cached: 9_999, cacheWrite: 0 }],
    ['written to a cache', { cached: 0, cacheWrite: 9_999 }],
    ['both', { cached: 6, cacheWrite: 5 }],
  ])('believes no more than the whole where too much was %s', (_, parts) => {
    expect(usageOf({ ...fitting, ...parts })).toMatchObject({
      inputTokens: 10,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
      estimated: true,
    })
  })

  it('believes no more reasoning than output', () => {
    const usage = usageOf({ ...fitting, reasoning: 6 })
    expect(usage).toMatchObject({ cachedInputTokens: 6, reasoningTokens: 0, estimated: true })
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

  it('gives no discount for an absurd count of cached tokens, and marks the rest', () => {
    const usage = {
      prompt_tokens: 50_000,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 9_000_000 },
    }
    expect(readChatUsage({ usage })).toMatchObject({
      inputTokens: 50_000,
      cachedInputTokens: 0,
      estimated: true,
    })
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

describe('what was written to a cache', () => {
  const prices = {
    input: 3_000_000,
    output: 15_000_000,
    cachedInput: 300_000,
    cacheWrite: 3_750_000,
    reasoning: null,
  }
  const usage = { prompt_tokens: 40_000, completion_tokens: 1_000, total_tokens: 41_000 }
  const cost = (fields: object) => {
    const counted = readChatUsage({ usage: { ...usage, ...fields } })
    return counted && { cost: costMicroUsd(counted, prices), estimated: counted.estimated }
  }
  // 7,564 fresh, 32,436 written, 1,000 of output: 22,692 + 121,635 + 15,000.
  const right = { cost: 159_327, estimated: false }

  it.each([
    [{ prompt_tokens_details: { cache_write_tokens: 32_436 } }],
    [{ prompt_tokens_details: { cache_creation_tokens: 32_436 } }],
    [{ prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 32_436 } }],
    [{ cache_creation_input_tokens: 32_436, cache_read_input_tokens: 0 }],
    [{ cache_creation_tokens: '32436' }],
    [{ prompt_tokens_details: { cached_tokens: 32_436, cache_write_tokens: 32_436 } }],
  ])('has its price: %j', (fields) => expect(cost(fields)).toEqual(right))

  it('is not what OpenRouter calls cached, also where both would fit', () => {
    const details = { cached_tokens: 10_000, cache_write_tokens: 10_000 }
    const counted = readChatUsage({
      usage: { ...usage, cost: 0.05, prompt_tokens_details: details },
    })
    expect(counted).toMatchObject({ cachedInputTokens: 0, cacheWriteTokens: 10_000 })
    const plain = readChatUsage({ usage: { ...usage, prompt_tokens_details: details } })
    expect(plain).toMatchObject({ cachedInputTokens: 10_000, cacheWriteTokens: 10_000 })
  })
})

it.each(['12', '12.0'])('a figure that is the text %j is a number', (text) => {
  expect(countIn(text)).toBe(12)
  expect(countIn(`${text} tokens`)).toBeNull()
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rateFigures } from './rate-limit-headers'

const now = Date.parse('2026-11-23T12:00:00Z')

test.each<[string, Record<string, string>, unknown]>([
  [
    'OpenAI, Groq, Azure',
    {
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
      'x-ratelimit-remaining-tokens': '149984',
      'x-ratelimit-reset-tokens': '6m0s',
    },
    { requests: { left: 59, resetMs: 1_000 }, tokens: { left: 149_984, resetMs: 360_000 } },
  ],
  [
    'milliseconds and fractions',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '120ms',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1m7.66s',
    },
    { requests: { left: 0, resetMs: 120 }, tokens: { left: 0, resetMs: 67_660 } },
  ],
  [
    'Anthropic, the least of its kinds of tokens',
    {
      'anthropic-ratelimit-requests-remaining': '3',
      'anthropic-ratelimit-requests-reset': '2026-11-23T12:00:20Z',
      'anthropic-ratelimit-tokens-remaining': '9000',
      'anthropic-ratelimit-tokens-reset': '2026-11-23T12:00:50Z',
      'anthropic-ratelimit-output-tokens-remaining': '1000',
      'anthropic-ratelimit-output-tokens-reset': '2026-11-23T12:00:05Z',
    },
    { requests: { left: 3, resetMs: 20_000 }, tokens: { left: 1_000, resetMs: 5_000 } },
  ],
  [
    'a moment in ms or seconds since 1970',
    { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': String(now + 30_000) },
    { requests: { left: 7, resetMs: 30_000 }, tokens: null },
  ],
  [
    'seconds since 1970',
    { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': String(now / 1_000 + 30) },
    { requests: { left: 7, resetMs: 30_000 }, tokens: null },
  ],
  [
    'Mistral, without a reset',
    { 'x-ratelimit-remaining-tokens-minute': '500' },
    { requests: null, tokens: { left: 500, resetMs: 60_000 } },
  ],
  [
    'nonsense and a reset of days',
    {
      'x-ratelimit-remaining-requests': '-1',
      'x-ratelimit-remaining-tokens': '5',
      'x-ratelimit-reset-tokens': '48h0m0s',
    },
    { requests: null, tokens: { left: 5, resetMs: 600_000 } },
  ],
  [
    'what is over',
    { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '2020-01-01T00:00:00Z' },
    { requests: { left: 0, resetMs: 0 }, tokens: null },
  ],
  ['nothing', { 'content-type': 'text/event-stream' }, { requests: null, tokens: null }],
])('reads the limits of %s', (_who, headers, figures) => {
  expect(rateFigures(headers, now)).toEqual(figures)
})

test('figures are whole and bounded whatever the headers say', () => {
  const value = fc.oneof(fc.string(), fc.stringMatching(/^[\d.hms:TZ-]{0,80}$/))
  fc.assert(
    fc.property(value, value, (left, reset) => {
      const { requests } = rateFigures(
        { 'x-ratelimit-remaining-requests': left, 'x-ratelimit-reset-requests': reset },
        now,
      )
      if (!requests) return
      expect(Number.isSafeInteger(requests.left) && requests.left >= 0).toBe(true)
      expect(Number.isInteger(requests.resetMs)).toBe(true)
      expect(requests.resetMs).toBeGreaterThanOrEqual(0)
      expect(requests.resetMs).toBeLessThanOrEqual(600_000)
    }),
  )
})

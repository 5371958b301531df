import { expect, test } from 'vitest'
import { rateDenial, rateRefusal, rateWords } from './rate'

const rate = { perMinute: 10, perRun: 3, use: { inMinute: 4, inRun: 1, waitMs: null } }

test('a limit says what is used of it', () => {
  expect(rateRefusal(rate)).toBeNull()
  expect(rateWords(rate)).toBe('4 of 10 calls in the last minute and at most 3 calls in one run')
  expect(rateWords({ ...rate, perMinute: null })).toBe('at most 3 calls in one run')
  expect(rateWords({ ...rate, use: null })).toBeNull()
})

test('a limit that is used up refuses the call and says when the next one may start', () => {
  const full = { ...rate, use: { inMinute: 10, inRun: 1, waitMs: 33_100 } }
  expect(rateRefusal(full)).toBe(
    'At most 10 calls of it may start in a minute, for all runs of this site, and 10 did. The next one may start in 34 seconds.',
  )
  expect(rateRefusal({ ...full, use: { ...full.use, waitMs: null } })).toContain('in 1 second.')
  expect(rateRefusal({ ...full, perMinute: null })).toBeNull()
  const spent = { ...rate, use: { inMinute: 0, inRun: 3, waitMs: null } }
  const words =
    'At most 3 calls of it may start in one run, and 3 did. No other call of it starts in this run.'
  expect(rateDenial(spent)).toEqual({ allowed: false, gate: 'rate', reason: words, told: words })
  expect(rateDenial({ ...spent, perRun: null })).toBeNull()
})

test('a limit whose use is not known refuses nothing', () => {
  expect(rateRefusal({ perMinute: 1, perRun: 1, use: null })).toBeNull()
})

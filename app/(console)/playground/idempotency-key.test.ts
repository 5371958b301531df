import { expect, it } from 'vitest'
import { idempotencyKeys } from './idempotency-key'

it('gives one key for one wish until it was granted', () => {
  const keys = idempotencyKeys()
  const first = keys.keyFor('wish')
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(keys.keyFor('wish')).toBe(first)
  const other = keys.keyFor('another wish')
  expect(other).not.toBe(first)
  keys.granted()
  expect(keys.keyFor('another wish')).not.toBe(other)
})

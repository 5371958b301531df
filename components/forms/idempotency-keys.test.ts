import { expect, it } from 'vitest'
import { idempotencyKeys } from './idempotency-keys'

it('gives one key for one request until it started a run', () => {
  const keys = idempotencyKeys()
  const first = keys.keyFor('request')
  expect(first).toMatch(/^[0-9a-f]{32}$/)
  expect(keys.keyFor('request')).toBe(first)
  const other = keys.keyFor('another request')
  expect(other).not.toBe(first)
  keys.started()
  expect(keys.keyFor('another request')).not.toBe(other)
})

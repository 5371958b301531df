import { expect, test } from 'vitest'
import { RateLimitedError } from '../errors'
import { hashPassword, verifyPassword } from './hash-password'

test('a flood of strangers waits behind those who are known, and is refused beyond fifty', async () => {
  const stored = await hashPassword('a password for this test')
  const order: string[] = []
  const flood = Array.from({ length: 80 }, () =>
    verifyPassword(null, 'a guess', 'stranger').then(() => order.push('stranger')),
  )
  const known = verifyPassword(stored, 'a password for this test').then((matches) => {
    order.push('known')
    return matches
  })
  const results = await Promise.allSettled(flood)
  expect(await known).toBe(true)
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBeGreaterThan(0)
  for (const result of refused) {
    expect(result).toMatchObject({ reason: expect.any(RateLimitedError) })
  }
  const strangersFirst = order.indexOf('known')
  expect(strangersFirst).toBeLessThan(order.length / 2)
  expect(await verifyPassword(stored, 'another password')).toBe(false)
})

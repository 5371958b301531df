import { hash } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { RateLimitedError } from '../../kernel/errors'
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

test('a password matches however its letters are composed, also with a hash from before that', async () => {
  const [composed, decomposed] = ['größe ñandú', 'größe ñandú'.normalize('NFD')]
  const stored = await hashPassword(decomposed)
  expect(await verifyPassword(stored, composed)).toBe(true)
  expect(await verifyPassword(stored, decomposed)).toBe(true)
  const old = await hash(decomposed)
  expect(await verifyPassword(old, decomposed)).toBe(true)
  expect(await verifyPassword(old, 'grosse nandu')).toBe(false)
})

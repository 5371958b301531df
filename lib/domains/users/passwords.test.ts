import { hash } from '@node-rs/argon2'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { RateLimitedError, type ValidationError } from '@/lib/kernel/errors'
import { hashPassword, requireStrongPassword, verifyPassword } from './passwords'

test('a flood of strangers waits behind those who are known, and is refused beyond fifty', async () => {
  // The turns are the same for hashes that cost next to nothing.
  const stored = await hash('a password for this test', { memoryCost: 8, timeCost: 1 })
  const order: string[] = []
  const flood = Array.from({ length: 80 }, () =>
    verifyPassword(stored, 'a guess', 'stranger').then(() => order.push('stranger')),
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

const ana = { email: 'ana.fernandez@example.org', name: 'Ana Fernández' }
const requireStrong = (password: string) => requireStrongPassword(password, ana)

beforeAll(async () => {
  vi.stubEnv('DATABASE_URL', 'postgresql://localhost/none')
  vi.stubEnv('NEXTAUTH_SECRET', 'x'.repeat(32))
  vi.stubEnv('TOOLGATE_VAULT_KEY', Buffer.alloc(32).toString('base64'))
  vi.stubEnv('TOOLGATE_URL', 'https://tools.acme.example')
})

async function refusalOf(password: string): Promise<string> {
  const error: ValidationError = await requireStrong(password).then(
    () => Promise.reject(new Error(`${password} was accepted.`)),
    (refusal) => refusal,
  )
  return error.fields?.password ?? String(error)
}

describe('a password is refused', () => {
  test.each([
    ['password1234', 'close to a common password'],
    [' '.repeat(12), 'repeats the same characters'],
    ['ana.fernandez@example.org', 'your name, your e-mail address'],
    ['Ana.Fernandez2026!', 'your name, your e-mail address'],
    ['FernándezAna12', 'your name, your e-mail address'],
    ['tools.acme.example', 'your name, your e-mail address'],
    ['Toolgate2026!!', 'your name, your e-mail address'],
    ['toolgate-admin-2026', 'your name, your e-mail address'],
    ['qwertyuiop1234', 'common password'],
    ['abcdefghijklmnop', 'a sequence'],
    ['Passw0rd2026!!', 'common words, names or numbers'],
    ['p@ssw0rdp@ssw0rd', 'repeats'],
    ['aaaaaaaaaaaaaaaaaaaaaaaa', 'repeats the same characters'],
    ['october november', 'common words'],
    ['correct horse battery staple', 'well-known phrase'],
    ['CorrectHorse-Battery_Staple', 'well-known phrase'],
    ['correct horse battery', 'well-known phrase'],
    ['correcthorsebatterystaple2026', 'well-known phrase'],
    ['Tr0ub4dor and 3!', 'well-known phrase'],
    ['Sphinx of black quartz, judge my vow!', 'well-known phrase'],
    ['ask not what your country', 'well-known phrase'],
  ])('%j: it says %s, and how to do better', async (password, why) => {
    const words = await refusalOf(password)
    expect(words).toContain('too easy to guess.')
    expect(words).toContain(why)
    expect(words).toContain('four or more unrelated words')
  })
})

test.each([
  'lamp river quiet stone',
  'Correct horse battery staple, said the Ñandú über größe',
  'an example with more unrelated words',
  'kX9#mQ2$vL7p',
  'ñandú über größe ligado',
  '新しいパスワードです長い',
])('%j is accepted', async (password) => {
  await expect(requireStrong(password)).resolves.toBeUndefined()
})

test('a long one is judged by its beginning alone, because rating more takes longer', async () => {
  const strong = '4@8({[<369&!1|70$57+2'
  await expect(requireStrong(strong.repeat(48))).resolves.toBeUndefined()
  expect(await refusalOf(`${'ab'.repeat(32)}${strong}`)).toContain('repeats the same characters')
})

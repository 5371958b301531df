import { beforeAll, expect, test } from 'vitest'
import { changeOwnPassword } from '@/lib/auth/change-own-password'
import { authenticate } from '@/lib/auth/sign-in'
import { acceptAccountLink, inviteUser, readAccountLink } from '@/lib/domains/users/account-links'
import { setPassword } from '@/lib/domains/users/sign-in-verbs'
import { createUser } from '@/lib/domains/users/verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import { addPerson } from '@/tests/support/people'

const password = 'lamp river quiet stone'
const email = 'kim.lopez@example.org'
const weak = ['password1234', ' '.repeat(12), email, 'kimlopez-2026']
const refused = { fields: { password: expect.stringContaining('too easy to guess') } }
let admin: Ctx

beforeAll(async () => {
  admin = await addPerson('admin')
})

test.each(weak)(
  '%j is refused wherever a password is chosen, and nothing is used up',
  async (bad) => {
    const unique = `${crypto.randomUUID()}.${email}`
    const person = { email: unique, name: 'Kim Lopez', role: 'member' as const }
    await expect(createUser(systemCtx(), { ...person, password: bad })).rejects.toMatchObject(
      refused,
    )
    const { userId, link } = await inviteUser(admin, person)
    await expect(acceptAccountLink(link.token, { password: bad })).rejects.toMatchObject(refused)
    expect(await readAccountLink(link.token)).toMatchObject({ type: 'open' })
    await acceptAccountLink(link.token, { password })
    await expect(setPassword(admin, { userId, password: bad })).rejects.toMatchObject(refused)
    const self: Ctx = { actor: { ...person, userId }, via: 'console', ipAddress: null }
    // More often than wrong current passwords may be given.
    for (let n = 0; n < 6; n += 1) {
      const change = { current: password, password: bad }
      await expect(changeOwnPassword(self, change, 'session')).rejects.toMatchObject(refused)
    }
    const same = changeOwnPassword(self, { current: password, password }, 'session')
    await expect(same).rejects.toMatchObject({
      fields: { password: 'This is your current password. Enter another one.' },
    })
    expect(await authenticate(unique, password)).toMatchObject({ userId })
  },
)

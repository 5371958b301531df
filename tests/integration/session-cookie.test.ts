import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { changePassword } from '@/app/(console)/account/actions'
import { confirm } from '@/app/(console)/confirm/actions'
import { loadSession } from '@/lib/auth/load-session'
import { readSessionCookie, sessionCookieName, sessionCookieValue } from '@/lib/auth/session-cookie'
import { startAuthSite } from '@/tests/support/auth-site'
import { browser } from '@/tests/support/next-request'
import { addSignedInPerson, password } from '@/tests/support/second-factor'
import { setEnv } from '@/tests/support/test-process'

let site: Awaited<ReturnType<typeof startAuthSite>>

beforeAll(async () => {
  site = await startAuthSite()
})
afterEach(() => setEnv({ TOOLGATE_URL: 'http://localhost:3000' }))
afterAll(() => site.close())

/** Sends a form of the sign-in library as a browser does, and returns the cookies of the answer, with their attributes. */
async function send(path: string, fields: object, cookies: readonly string[] = []) {
  const csrf = await fetch(`${site.url}/api/auth/csrf`)
  const { csrfToken } = await csrf.json()
  const own = csrf.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const answer = await fetch(`${site.url}/api/auth/${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: [...own, ...cookies].join('; ') },
    body: new URLSearchParams({ csrfToken, json: 'true', ...fields }),
  })
  return answer.headers.getSetCookie()
}

const ofSession = (cookies: readonly string[]) =>
  cookies.find((cookie) => cookie.includes('next-auth.session-token='))

test.each([
  ['https://toolgate.example.org', '__Host-next-auth.session-token=', true],
  ['http://localhost:3000', 'next-auth.session-token=', false],
])(
  'at %s the session cookie is %s, and signing out ends the session',
  async (url, name, isSecure) => {
    const person = await addSignedInPerson()
    setEnv({ TOOLGATE_URL: url })
    const cookie = ofSession(await send('callback/credentials', { email: person.email, password }))
    expect(cookie?.startsWith(name)).toBe(true)
    expect(cookie).toMatch(/; Path=\//)
    expect(cookie).toMatch(/; HttpOnly/)
    expect(/; Secure/.test(cookie ?? '')).toBe(isSecure)
    expect(cookie).not.toMatch(/Domain/i)
    const pair = cookie?.split(';')[0] ?? ''
    const sessionId = await readSessionCookie(pair.slice(name.length))
    expect(await loadSession(sessionId ?? '')).not.toBeNull()
    await send('signout', {}, [pair])
    expect(await loadSession(sessionId ?? '')).toBeNull()
  },
)

test.each([
  ['the password is given again', () => confirm({ by: 'password', password })],
  [
    'the password is changed',
    () => changePassword({ current: password, password: 'a wholly different sentence' }),
  ],
])('once %s, the browser has a new cookie, and the old one opens nothing', async (_what, act) => {
  const person = await addSignedInPerson()
  const old = await sessionCookieValue(person.sessionId, 600)
  browser.cookie = old
  browser.headers = new Headers({ origin: 'http://localhost:3000', host: 'localhost:3000' })
  expect(await act()).toMatchObject({ ok: true })
  expect(sessionCookieName()).toBe('next-auth.session-token')
  expect(browser.cookie).not.toBe(old)
  const renewed = await readSessionCookie(browser.cookie)
  expect(await loadSession(renewed ?? '')).toMatchObject({ actor: { userId: person.userId } })
  expect(await loadSession(person.sessionId)).toBeNull()
  browser.cookie = old
  expect(await act()).toMatchObject({ ok: false, error: { code: 'unauthenticated' } })
})

import { randomUUID } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import AdminLayout from '@/app/(console)/(admin)/layout'
import { env } from '@/lib/kernel/env'
import { answerOf, loadPages } from '@/tests/support/doors/pages'
import { browser } from '@/tests/support/next-request'
import { addSignedInPerson } from '@/tests/support/second-factor'

let pages: Awaited<ReturnType<typeof loadPages>>

beforeAll(async () => {
  // next.config.ts sets `authInterrupts`, and Next.js this variable with it.
  vi.stubEnv('__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS', 'true')
  pages = await loadPages()
})
afterAll(() => vi.unstubAllEnvs())

async function signInAs(role: 'admin' | 'member'): Promise<void> {
  const { sessionId } = await addSignedInPerson(role)
  browser.cookie = await encode({ token: { sid: sessionId }, secret: env().NEXTAUTH_SECRET })
}

async function placesThat(answer: (text: string) => boolean): Promise<string[]> {
  const places: string[] = []
  const id = randomUUID()
  for (const [place, page] of pages) if (answer(await answerOf(page, () => id))) places.push(place)
  return places.sort()
}

test('every page sends whoever is not signed in to the sign-in page, without a layout or the proxy', async () => {
  browser.cookie = ''
  expect(pages.size).toBeGreaterThan(30)
  expect(await placesThat((answer) => !answer.startsWith('/sign-in'))).toEqual([])
})

test('every admin page answers a member with status 403 by itself, and no page for members does', async () => {
  await signInAs('member')
  const refused = await placesThat((answer) => answer === '403')
  const forAdmins = [...pages.keys()].filter((place) => place.startsWith('(admin)/'))
  expect(refused).toEqual(forAdmins.sort())
})

test('the layout above the admin pages answers a member with status 403, and shows an admin the page', async () => {
  await signInAs('member')
  await expect(AdminLayout({ children: 'the page' })).rejects.toMatchObject({
    digest: 'NEXT_HTTP_ERROR_FALLBACK;403',
  })
  await signInAs('admin')
  expect(await AdminLayout({ children: 'the page' })).toBe('the page')
})

test('no page answers an admin with status 403', async () => {
  await signInAs('admin')
  expect(await placesThat((answer) => answer === '403')).toEqual([])
})

import { randomUUID } from 'node:crypto'
import { encode } from 'next-auth/jwt'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import AdminLayout from '@/app/(console)/(admin)/layout'
import { env } from '@/lib/kernel/env'
import { browser } from '../support/next-request'
import { addSignedInPerson } from '../support/second-factor'

type Page = (props: { params: Promise<object>; searchParams: Promise<object> }) => Promise<unknown>

const modules = import.meta.glob<{ default: Page }>('../../app/**/page.tsx')
const pages = new Map<string, Page>()

beforeAll(async () => {
  // next.config.ts sets `authInterrupts`, and Next.js this variable with it.
  vi.stubEnv('__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS', 'true')
  // The pages import most of the console, which takes seconds.
  for (const [file, load] of Object.entries(modules)) {
    const [, place] = file.split('/(console)/')
    if (place) pages.set(place.replace('/page.tsx', ''), (await load()).default)
  }
})
afterAll(() => vi.unstubAllEnvs())

async function signInAs(role: 'admin' | 'member'): Promise<void> {
  const { sessionId } = await addSignedInPerson(role)
  browser.cookie = await encode({ token: { sid: sessionId }, secret: env().NEXTAUTH_SECRET })
}

/** Returns what Next.js would make of what a page does by itself, without the layouts above it. */
async function answerOf(page: Page): Promise<string> {
  const id = randomUUID()
  // Whatever a page calls the object of its address.
  const params = new Proxy<Record<string, string>>({}, { get: () => id })
  try {
    await page({
      params: Promise.resolve(params),
      searchParams: Promise.resolve({}),
    })
    return 'shown'
  } catch (error) {
    if (!(error instanceof Error) || !('digest' in error)) throw error
    const digest = String(error.digest)
    const [kind = '', status, target] = digest.split(';')
    return kind === 'NEXT_REDIRECT' ? String(target) : String(status)
  }
}

async function placesThat(answer: (text: string) => boolean): Promise<string[]> {
  const places: string[] = []
  for (const [place, page] of pages) if (answer(await answerOf(page))) places.push(place)
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

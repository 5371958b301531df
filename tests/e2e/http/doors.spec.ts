import { readdirSync } from 'node:fs'
import { type APIRequestContext, expect, test } from 'playwright/test'
import { readSite, stateFile } from '../support/site'

/** All pages of the console by their folders: what is below `(admin)` is for admins. */
const places = readdirSync('app/(console)', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('/page.tsx'),
)

/** The ways in which browsers, the framework and others ask for a page. */
const ways: { method: 'GET' | 'POST'; headers: Record<string, string> }[] = [
  { method: 'GET', headers: {} },
  { method: 'GET', headers: { rsc: '1', 'next-router-state-tree': '%5B%22%22%2C%7B%7D%5D' } },
  { method: 'GET', headers: { rsc: '1', 'next-router-prefetch': '1', purpose: 'prefetch' } },
  { method: 'GET', headers: { rsc: '1', 'next-router-segment-prefetch': '/_tree' } },
  { method: 'POST', headers: {} },
  { method: 'POST', headers: { 'next-action': '7f'.repeat(21) } },
]

const gone = '01890000-0000-7000-8000-000000000000'

/** Returns the address of a page, about things of the site where it has some of that kind. */
function addressOf(place: string): string {
  const route = `/${place}`.replaceAll(/\/\([^/]*\)|\/page\.tsx$/g, '')
  const shape = new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[^/?]+')}$`)
  return readSite().wide.find((each) => shape.test(each)) ?? route.replaceAll(/\[\w+\]/g, gone)
}

/** Asks for a page in every way, and returns each answer as its status, where it leads and its text. */
async function answers(client: APIRequestContext, address: string) {
  const found: { way: string; status: number; location: string; text: string }[] = []
  for (const { method, headers } of ways) {
    const answer = await client.fetch(address, { method, headers, maxRedirects: 0 })
    found.push({
      way: `${method} ${address} ${JSON.stringify(headers)}`,
      status: answer.status(),
      location: answer.headers().location ?? '',
      text: await answer.text(),
    })
  }
  return found
}

test('no page answers a stranger with anything but the way to sign in, in whatever way it is asked for', async ({
  playwright,
  baseURL,
}) => {
  test.slow()
  const storageState = { cookies: [], origins: [] }
  const client = await playwright.request.newContext({ ...(baseURL && { baseURL }), storageState })
  for (const place of places) {
    for (const { way, status, location, text } of await answers(client, addressOf(place))) {
      expect([307, 401, 403, 404], way).toContain(status)
      if (status === 307) expect(location, way).toContain('/sign-in')
      // Some words to say so, and no page.
      expect(text.length, way).toBeLessThan(500)
    }
  }
  await client.dispose()
})

test('no page of admins shows a member what it shows an admin, in whatever way it is asked for', async ({
  playwright,
  baseURL,
  request,
}) => {
  test.slow()
  const member = await playwright.request.newContext({
    ...(baseURL && { baseURL }),
    storageState: stateFile('member'),
  })
  const ofAdmins = places.filter((place) => place.startsWith('(admin)/'))
  expect(ofAdmins.length).toBeGreaterThan(40)
  // The things of the site have names of one long word. In small letters it is also in addresses.
  const isShown = (text: string) => /W{20}/.test(text)
  let shown = 0
  for (const address of ofAdmins.map(addressOf)) {
    if (isShown(await (await request.get(address)).text())) shown += 1
    for (const { way, text } of await answers(member, address))
      expect(isShown(text), way).toBe(false)
  }
  expect(shown).toBeGreaterThan(15)
  await member.dispose()
})

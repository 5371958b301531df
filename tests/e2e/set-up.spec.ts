import { type StandaloneServer, startStandaloneServer } from '../support/standalone-server'
import { expectAccessible } from './support/expect-accessible'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// A server of its own, on an installation that has no admin yet.
let server: StandaloneServer

test.beforeAll(async () => {
  const { env, fresh, port } = readSite()
  server = await startStandaloneServer(port + 1, { ...env, DATABASE_URL: fresh.databaseUrl })
})

test.afterAll(() => server.stop())

test('the one-time link makes the first admin, and no second one', async ({ visit }) => {
  const { token } = readSite().fresh
  const page = await visit('stranger', { baseURL: server.baseUrl })
  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByText('Toolgate has no admin yet')).toBeVisible()
  await page.goto('/setup')
  await expect(page.getByText('The address lacks its token.')).toBeVisible()
  await page.goto(`/setup?token=${'x'.repeat(token.length)}`)
  await expect(page.getByText('This set-up link does not work')).toBeVisible()

  const answer = await page.goto(`/setup?token=${token}`)
  expect(answer?.headers()['cache-control']).toContain('no-store')
  const create = page.getByRole('button', { name: 'Create admin' })
  await whenInteractive(create)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, `set-up, ${colorScheme}`)
  }
  await page.getByLabel('Name').fill('First Admin')
  await page.getByLabel('E-mail').fill('first@example.org')
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await create.click()
  await expect(page.getByText('A password needs at least 12 characters.')).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'set-up, with a mistake, on a phone')
  await page.setViewportSize({ width: 1280, height: 720 })
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByLabel('Password', { exact: true }).fill('enough words for a password')
  await create.click()
  await expect(page).toHaveURL(/\/playground/)
  await expect(page.getByRole('button', { name: 'Account: first@example.org' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Configuration: Demo (no model)' })).toBeVisible()

  const second = await visit('stranger', { baseURL: server.baseUrl })
  await second.goto(`/setup?token=${token}`)
  await expect(second.getByText('Toolgate is set up already')).toBeVisible()
  await expect(second.getByRole('button', { name: 'Create admin' })).toHaveCount(0)
})

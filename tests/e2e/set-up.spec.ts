import { generateSync } from 'otplib'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { go } from './support/go'
import { expectAccessible, expectEveryLook } from './support/page-checks'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// A server of its own, on an installation that has no admin yet.
let server: StandaloneServer

test.beforeAll(async () => {
  const { env, fresh, port } = readSite()
  const [first, second] = fresh.databaseUrls
  const databaseUrl = test.info().retry === 0 ? first : second
  server = await startStandaloneServer(port + 1, { ...env, DATABASE_URL: databaseUrl })
})

test.afterAll(() => server.stop())

test('the one-time link makes the first admin alone, who must have a second factor before anything else opens', async ({
  visit,
}) => {
  test.slow()
  const { token } = readSite().fresh
  const page = await visit('stranger', { baseURL: server.baseUrl })
  await page.goto('/')
  await expect(page).toHaveURL(/\/sign-in/)
  await expect(page.getByText('Toolgate has no admin yet')).toBeVisible()
  await page.goto('/setup')
  await expect(page.getByText('The address has no token.')).toBeVisible()
  await page.goto(`/setup?token=${'x'.repeat(token.length)}`)
  await expect(page.getByText('This set-up link does not work')).toBeVisible()

  const answer = await page.goto(`/setup?token=${token}`)
  expect(answer?.headers()['cache-control']).toContain('no-store')
  const create = page.getByRole('button', { name: 'Create admin' })
  await whenInteractive(create)
  await page.getByLabel('Name').fill('First Admin')
  await page.getByLabel('E-mail').fill('first@example.org')
  await page.getByLabel('Password', { exact: true }).fill('too short')
  await create.click()
  await expect(page.getByText('A password needs at least 12 characters.')).toBeVisible()
  await expectEveryLook(page, 'set-up, with a mistake')
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByLabel('Password', { exact: true }).fill('enough words for a password')
  await create.click()
  await expect(page).toHaveURL(/\/overview$/)
  await expect(page.getByRole('button', { name: 'Account: First Admin' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'Connect a model' })).toBeVisible()
  await go(page, '/playground')
  await expect(page.getByRole('button', { name: 'Configuration: Demo (no model)' })).toBeVisible()

  const second = await visit('stranger', { baseURL: server.baseUrl })
  await second.goto(`/setup?token=${token}`)
  await expect(second.getByText('Toolgate is already set up')).toBeVisible()
  await expect(second.getByRole('button', { name: 'Create admin' })).toHaveCount(0)

  await go(page, '/settings')
  const choice = page.getByLabel('Second factor required for')
  await whenInteractive(choice)
  await choice.click()
  await page.getByRole('option', { name: 'Admins' }).click()
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  await expect(bar).toContainText('1 change')
  await bar.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/second-factor\?next=%2Fsettings$/)
  expect((await page.request.get('/api/v1/runs')).status()).toBe(403)
  await page.goto('/users')
  await expect(page).toHaveURL(/\/second-factor\?next=%2Fusers$/)

  const add = page.getByRole('button', { name: 'Add an authenticator app' })
  await whenInteractive(add)
  await expectAccessible(page, 'the page for a second factor')
  await add.click()
  const picture = page.getByRole('img', { name: 'QR code' })
  await expect(picture).toHaveJSProperty('complete', true)
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await expectAccessible(page, 'the key of an app')
  const key = await page.getByRole('dialog').locator('code').innerText()
  const secret = key.replaceAll(' ', '')
  await page.getByLabel('Code').fill(generateSync({ secret }))
  await page.getByRole('button', { name: 'Add app' }).click()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await expect(page).toHaveURL(/\/users$/)
  await go(page, '/account')
  const remove = page.getByRole('button', { name: 'Remove Authenticator app' })
  await whenInteractive(remove)
  await remove.click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Remove/ })
    .click()
  await expect(page.getByText('Not removed')).toBeVisible()
})

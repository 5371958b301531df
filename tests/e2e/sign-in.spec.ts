import type { Page } from '@playwright/test'
import { newMark } from './support/model-requests'
import { calls, run, runPrompt } from './support/playground'
import { sendSignIn } from './support/sign-in'
import { accounts } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

/** What the form says; the framework has an alert of its own, for the names of pages. */
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /./ })

// Each test comes from an address of its own: failures count per address prefix too.
const from = (prefix: number) => ({ extraHTTPHeaders: { 'x-forwarded-for': `198.51.${prefix}.7` } })

test('a wrong password is refused in words that do not tell which part was wrong', async ({
  visit,
}) => {
  const page = await visit('stranger', from(1))
  await page.goto('/sign-in')
  for (const email of [accounts.forgetful.email, 'nobody@example.org']) {
    await sendSignIn(page, { email, password: 'not the password at all' })
    await expect(alert(page)).toContainText('The e-mail address or the password is wrong.')
    await expect(page.getByLabel('Password')).toBeFocused()
  }
  expect(page.url()).toContain('/sign-in')
})

test('empty fields are named, and nothing is sent', async ({ visit }) => {
  const page = await visit('stranger', from(2))
  await page.goto('/sign-in')
  await sendSignIn(page, { email: '', password: '' })
  await expect(page.getByText('Enter your e-mail address.')).toBeVisible()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toBeFocused()
})

test('after five failures an account has to wait, at that address alone', async ({ visit }) => {
  const { email, password } = accounts.throttled
  const page = await visit('stranger', from(3))
  await page.goto('/sign-in')
  const refusal = /Too many failed attempts\. Try again in \d+ seconds?\./
  // Each failure doubles the delay, so that it outlasts the time this takes.
  await expect(async () => {
    await sendSignIn(page, { email, password: 'not the password at all' })
    await expect(alert(page)).toContainText(refusal, { timeout: 1_000 })
  }).toPass()
  const elsewhere = await visit('stranger', from(4))
  await elsewhere.goto('/sign-in')
  await sendSignIn(elsewhere, { email, password })
  await expect(elsewhere).toHaveURL(/\/playground$/)
})

test('the way leads back to the page that was asked for, and never to another site', async ({
  visit,
}) => {
  const page = await visit('stranger', from(5))
  await page.goto('/runs?sort=started')
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fruns%3Fsort%3Dstarted/)
  await sendSignIn(page, accounts.member)
  await expect(page).toHaveURL(/\/runs\?sort=started$/)

  const lured = await visit('stranger', from(5))
  await lured.goto('/sign-in?next=//evil.example/steal')
  await sendSignIn(lured, accounts.member)
  await expect(lured).toHaveURL(/\/playground$/)
})

test('a page that watches a run learns that its session is over', async ({ visit }) => {
  const page = await visit('stranger', from(7))
  await page.goto('/sign-in')
  await sendSignIn(page, accounts.member)
  await expect(page).toHaveURL(/\/playground$/)
  await runPrompt(page, { prompt: `${newMark()} [[call slow_read {"ms":60000}]]` })
  await expect(calls(page).getByText('Running', { exact: true })).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto('/playground')
  await signOut(tab)
  await expect(run(page).getByText('Not connected. Reload the page to continue.')).toBeVisible()
  await page.reload()
  await expect(page).toHaveURL(/\/sign-in\?next=/)
})

async function signOut(page: Page): Promise<void> {
  await whenInteractive(page.getByRole('button', { name: /^Account: / }))
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
}

test('signing out ends the session at once, for a copied cookie too', async ({
  visit,
  playwright,
  baseURL,
}) => {
  const page = await visit('stranger', from(6))
  await page.goto('/sign-in')
  await sendSignIn(page, accounts.member)
  await expect(page).toHaveURL(/\/playground$/)
  const copied = await page.context().storageState()

  await signOut(page)
  await page.goto('/runs')
  await expect(page).toHaveURL(/\/sign-in\?next=/)

  const thief = await playwright.request.newContext({ baseURL, storageState: copied })
  const answer = await thief.get('/runs', { maxRedirects: 0 })
  expect(await answer.text()).not.toContain('Search runs')
  expect((await thief.get('/api/v1/runs')).status()).toBe(401)
  await thief.dispose()
})

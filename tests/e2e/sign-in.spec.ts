import type { Page } from 'playwright/test'
import { newMark } from './support/model-requests'
import { calls, expectEnd, pressRun, run, runPrompt } from './support/playground'
import { sendSignIn, signOut } from './support/sign-in'
import { accounts } from './support/site'
import { expect, test } from './support/test'

/** Returns the form's alert. The framework has its own alert, which announces page titles. */
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /./ })

// Each visitor comes from an address of their own: failures count per address prefix too.
const from = (prefix: number) => ({ extraHTTPHeaders: { 'x-forwarded-for': `198.51.${prefix}.7` } })

test('from what is missing or wrong, which waits at its address alone, to the end of the session everywhere', async ({
  visit,
  playwright,
  baseURL,
}) => {
  test.slow()
  const page = await visit('stranger', from(1))
  await page.goto('/sign-in')
  await sendSignIn(page, { email: '', password: '' })
  await expect(page.getByText('Enter your e-mail address.')).toBeVisible()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toBeFocused()
  for (const wrong of [accounts.forgetful.email, 'nobody@example.org']) {
    await sendSignIn(page, { email: wrong, password: 'not the password at all' })
    await expect(alert(page)).toContainText('The e-mail address or the password is wrong.')
    await expect(page.getByLabel('Password')).toBeFocused()
  }

  const { email, password } = accounts.throttled
  const refusal = /Too many failed attempts\. Try again in \d+ seconds?\./
  // Each failure doubles the delay, so that it outlasts the time this takes.
  await expect(async () => {
    await sendSignIn(page, { email, password: 'not the password at all' })
    await expect(alert(page)).toContainText(refusal, { timeout: 1_000 })
  }).toPass()
  expect(page.url()).toContain('/sign-in')
  const elsewhere = await visit('stranger', from(4))
  await elsewhere.goto('/sign-in?next=//evil.example/steal')
  await sendSignIn(elsewhere, { email, password })
  // Never to another site.
  await expect(elsewhere).toHaveURL(/\/overview$/)
  await signOut(elsewhere)

  await test.step('sign-in leads to the page that was asked for', async () => {
    await elsewhere.goto('/runs?sort=started')
    await expect(elsewhere).toHaveURL(/\/sign-in\?next=%2Fruns%3Fsort%3Dstarted/)
    await sendSignIn(elsewhere, accounts.member)
    await expect(elsewhere).toHaveURL(/\/runs\?sort=started$/)
  })

  await test.step('what was typed after the session had ended is there after the sign-in', async () => {
    await runPrompt(elsewhere, { prompt: `${newMark()} [[say: Hello.]]` })
    await expectEnd(elsewhere, 'Completed')
    const address = elsewhere.url()
    const tab = await elsewhere.context().newPage()
    await tab.goto('/account')
    await signOut(tab)
    await tab.close()
    const typed = `What comes after that? ${newMark()}`
    await elsewhere.getByRole('textbox', { name: 'Prompt' }).fill(typed)
    await pressRun(elsewhere)
    await elsewhere.getByRole('link', { name: 'Sign in', exact: true }).click()
    await sendSignIn(elsewhere, accounts.member)
    await expect(elsewhere).toHaveURL(address)
    await expect(elsewhere.getByRole('textbox', { name: 'Prompt' })).toHaveValue(typed)
  })

  await test.step('signing out ends the session for an open page and a copied cookie, too', async () => {
    await runPrompt(elsewhere, { prompt: `${newMark()} [[call slow_read {"ms":60000}]]` })
    await expect(calls(elsewhere).getByText('Running', { exact: true })).toBeVisible()
    const copied = await elsewhere.context().storageState()
    const session = copied.cookies.find(({ name }) => name.endsWith('next-auth.session-token'))
    // Out of reach of scripts and other sites.
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })

    const tab = await elsewhere.context().newPage()
    await tab.goto('/account')
    await signOut(tab)
    const notice = run(elsewhere).getByText('Not connected. Reload the page.')
    await expect(notice).toBeVisible()
    await elsewhere.reload()
    await expect(elsewhere).toHaveURL(/\/sign-in\?next=/)

    const thief = await playwright.request.newContext({ baseURL, storageState: copied })
    const answer = await thief.get('/runs', { maxRedirects: 0 })
    expect(await answer.text()).not.toContain('Search runs')
    expect((await thief.get('/api/v1/runs')).status()).toBe(401)
    await thief.dispose()
  })
})

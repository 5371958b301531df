import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import { expectEnd, run, runPrompt } from './support/playground'
import { sendSignIn } from './support/sign-in'
import { accounts } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// People and groups of this file are its own: other files run at the same time.
const password = 'five quite unrelated words here'
const from = { extraHTTPHeaders: { 'x-forwarded-for': '198.51.77.7' } }

test('from the invitation to the end of the session', async ({ page, visit }) => {
  test.slow()
  const mark = newMark()
  const email = `${mark}@example.org`
  const name = `Ina ${mark}`
  const group = `Group ${mark}`

  await makeGroup(page, group, 'Local anthropic')
  const link = await invite(page, { name, email, group })

  const newcomer = await visit('stranger', from)
  await newcomer.goto(link)
  await expect(newcomer.getByRole('heading', { name: 'Welcome to Toolgate' })).toBeVisible()
  const create = newcomer.getByRole('button', { name: 'Create account' })
  await whenInteractive(create)
  await newcomer.getByLabel('Password', { exact: true }).fill('short')
  await create.click()
  await expect(newcomer.getByText('A password needs at least 12 characters.')).toBeVisible()
  await newcomer.getByLabel('Password', { exact: true }).fill(password)
  await create.click()
  await expect(newcomer).toHaveURL(/\/overview$/)

  const second = await visit('stranger', from)
  await second.goto(link)
  await expect(second.getByText('It was already used.')).toBeVisible()

  const ofAdmin = await test.step('the admin runs something', async () => {
    const prompt = `${mark} of the admin [[say: Secret words.]]`
    const id = await runPrompt(page, { prompt })
    await expectEnd(page, 'Completed')
    return id
  })

  await test.step('a member sees allowed configurations and is offered no tools for admins', async () => {
    await go(newcomer, '/playground')
    const configuration = newcomer.getByRole('button', { name: /^Configuration: / })
    await whenInteractive(configuration)
    await configuration.click()
    await expect(newcomer.getByRole('option')).toHaveCount(1)
    await expect(newcomer.getByRole('option')).toContainText('Local anthropic')
    await runPrompt(newcomer, {
      prompt: `${mark} of the member [[call list_users {}]] [[then]] [[say: Offered: {{offer}}.]]`,
      configuration: 'Local anthropic',
    })
    await expectEnd(newcomer, 'Completed')
    await expect(run(newcomer)).toContainText('Denied: only admins may use it')
    await expect(run(newcomer)).not.toContainText(accounts.admin.email)
    await expect(run(newcomer).getByText(/^Offered: /)).not.toContainText('list_users')
  })

  await test.step('a member sees own runs alone', async () => {
    await go(newcomer, `/runs?search=${mark}`)
    await expect(newcomer.getByRole('link', { name: /of the member/ })).toBeVisible()
    await expect(newcomer.getByText('of the admin')).toHaveCount(0)
    await expect(newcomer.getByRole('status').filter({ hasText: /^1 run$/ })).toBeVisible()
    expect((await newcomer.goto(`/runs/${ofAdmin}`))?.status()).toBe(404)
    await expect(
      newcomer.getByRole('heading', { name: 'Page not found, or you don’t have access' }),
    ).toBeVisible()
    await expect(newcomer.getByText('Secret words.')).toHaveCount(0)
    await go(newcomer, `/playground?run=${ofAdmin}`)
    await expect(newcomer.getByRole('main').getByText('This run cannot be shown')).toBeVisible()
    await expect(newcomer.getByText('Secret words.')).toHaveCount(0)
    await go(page, `/runs?search=${mark}`)
    await expect(page.getByRole('table').getByTitle(email)).toBeVisible()
    await expect(page.getByRole('link', { name: /of the member/ })).toBeVisible()
  })

  await test.step('a member sees no admin page', async () => {
    await go(newcomer, '/account')
    await expect(newcomer.getByText('This session').filter({ visible: true })).toBeVisible()
    const navigation = newcomer.getByRole('navigation', { name: 'Pages' })
    await expect(navigation.getByRole('link', { name: 'Runs' })).toBeVisible()
    await expect(navigation.getByRole('link', { name: 'Tools' })).toHaveCount(0)
    const answer = await newcomer.goto('/tools')
    expect(answer?.status()).toBe(403)
    await expect(newcomer.getByRole('main').getByText('This page is for admins')).toBeVisible()
    expect(await answer?.text()).not.toContain('Prompt overhead')
    for (const path of ['/users', '/groups', '/audit', '/api/audit/export?format=csv']) {
      expect((await newcomer.request.get(path)).status(), path).toBe(403)
    }
  })

  await test.step('the admin finds it in the audit, field by field, and may take it along', async () => {
    await go(page, `/audit?action=user.invite&actor=${accounts.admin.email}`)
    const entry = page.getByRole('article').filter({ hasText: mark })
    await whenInteractive(entry.locator('summary'))
    await entry.locator('summary').click()
    await expectAccessible(page, 'audit')
    await expect(entry.getByRole('definition').filter({ hasText: email })).toBeVisible()
    const csv = await page.request.get('/api/audit/export?format=csv&action=user.invite')
    expect(csv.headers()['content-type']).toContain('text/csv')
    expect(await csv.text()).toContain(email)
    expect(await csv.text()).not.toContain(link.split('/').at(-1))
  })

  await test.step('disabling ends the session at the next request', async () => {
    await go(page, `/users?search=${mark}`)
    await page
      .getByRole('table')
      .getByRole('link', { name: new RegExp(mark) })
      .click()
    await expect(page.getByRole('heading', { name: new RegExp(mark) })).toBeVisible()
    await expect(page.getByText('198.51.77.7').first()).toBeVisible()
    const account = page.getByRole('switch', { name: `Account of ${name}` })
    await whenInteractive(account)
    await account.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill(`Left ${mark}`)
    await dialog.getByRole('button', { name: `Disable ${name}` }).click()
    await expect(page.getByText(`Disabled ${name}`, { exact: true })).toBeVisible()
    await newcomer.goto('/runs')
    await expect(newcomer).toHaveURL(/\/sign-in\?next=/)
    await sendSignIn(newcomer, { email, password })
    await expect(newcomer.getByRole('alert').filter({ hasText: 'is wrong' })).toBeVisible()
  })

  await test.step('the audit says why, and leads to whom it was about', async () => {
    await go(page, '/audit?action=user.update')
    const entry = page.getByRole('article').filter({ hasText: `Left ${mark}` })
    await entry.getByRole('link', { name: email, exact: true }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
  })

  await test.step('nobody removes themselves, nor the last admin', async () => {
    await go(page, `/users?search=${accounts.admin.email}`)
    await page.getByRole('table').getByRole('link', { name: 'Ada Admin' }).click()
    await expect(page.getByRole('heading', { name: 'Ada Admin' })).toBeVisible()
    const more = page.getByRole('button', { name: 'More', exact: true })
    await whenInteractive(more)
    await more.click()
    for (const item of ['Make member…', 'Delete…']) {
      await expect(page.getByRole('menuitem', { name: item })).toBeDisabled()
    }
    await expect(page.getByText(/^This is your own account/)).toBeVisible()
    await expect(page.getByRole('switch', { name: 'Account of Ada Admin' })).toBeDisabled()
  })
})

async function makeGroup(page: Page, group: string, configuration: string): Promise<void> {
  await go(page, '/groups')
  const open = page.getByRole('button', { name: 'Add group' }).first()
  await whenInteractive(open)
  await open.click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(group)
  await page.getByRole('dialog').getByRole('button', { name: 'Add group' }).click()
  await expect(page.getByRole('heading', { name: group })).toBeVisible()
  await page.getByRole('combobox', { name: 'Add a configuration' }).click()
  await page.getByRole('option', { name: configuration, exact: true }).click()
  await expect(
    page.getByText(`Members may now use ${configuration}`, { exact: true }),
  ).toBeVisible()
}

/** Invites through the page and returns the link it shows once. */
async function invite(
  page: Page,
  person: { name: string; email: string; group: string },
): Promise<string> {
  await go(page, '/users')
  const open = page.getByRole('button', { name: 'Invite', exact: true })
  await whenInteractive(open)
  await open.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill(person.name)
  await dialog.getByLabel('E-mail').fill(person.email)
  await dialog.getByLabel(person.group).check()
  const further = `${person.group} too`
  await dialog.getByLabel('New group').fill(further)
  await dialog.getByRole('button', { name: 'Add group' }).click()
  await expect(dialog.getByLabel(further)).toBeChecked()
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue(person.name)
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
  const link = await page.getByLabel('One-time link').inputValue()
  await expectAccessible(page, 'users, link shown')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(link)).toHaveCount(0)
  return link
}

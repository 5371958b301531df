import type { Request } from '@playwright/test'
import { newMark } from './support/model-requests'
import { expectEnd, run, runPrompt } from './support/playground'
import { accounts, stateFile } from './support/site'
import { expect, test } from './support/test'
import { expectReset, openTools, switchOff, toolSwitch } from './support/tools-page'

// This tool is this file's alone: other files run at the same time.
const tool = 'get_env'

test("an admin's action sent with a member's cookie, or none, changes nothing", async ({
  page,
  playwright,
  baseURL,
}) => {
  await openTools(page, `?search=${tool}`)
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.headers()['next-action']) sent.push(request)
  })
  await switchOff(page, tool)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectReset(page, tool)

  const [action] = sent
  if (!action) throw new Error('No action was sent.')
  const { 'next-action': id = '', 'content-type': type = '' } = action.headers()
  const data = action.postData() ?? ''
  expect(data).toContain(tool)
  const nobody = { cookies: [], origins: [] }
  for (const [who, storageState] of [
    ['member', stateFile('member')],
    ['nobody', nobody],
  ] as const) {
    const client = await playwright.request.newContext({ baseURL, storageState })
    for (const address of ['/tools', '/playground']) {
      const headers = { 'next-action': id, 'content-type': type, origin: String(baseURL) }
      const answer = await client.post(address, { headers, data, maxRedirects: 0 })
      const text = await answer.text()
      expect(text, `${who} at ${address}`).not.toContain('"ok":true')
      expect(text, `${who} at ${address}`).not.toContain('schemaTokens')
    }
    await client.dispose()
  }
  await page.reload()
  await expect(toolSwitch(page, tool)).toBeChecked()
})

test('a member sees no admin page, own runs alone, and is offered no tools for admins', async ({
  page,
  visit,
}) => {
  const mark = newMark()
  const adminRun = await runPrompt(page, { prompt: `${mark} of the admin [[say: Secret words.]]` })
  await expectEnd(page, 'Completed')

  const member = await visit('member')
  await runPrompt(member, {
    prompt: `${mark} of the member [[call list_users {}]] [[then]] [[say: Offered: {{offer}}.]]`,
  })
  await expectEnd(member, 'Completed')
  await expect(run(member)).toContainText('Denied: only admins may use it')
  await expect(run(member)).not.toContainText(accounts.admin.email)
  await expect(run(member).getByText(/^Offered: /)).not.toContainText('list_users')

  const navigation = member.getByRole('navigation', { name: 'Pages' })
  await expect(navigation.getByRole('link', { name: 'Runs' })).toBeVisible()
  await expect(navigation.getByRole('link', { name: 'Tools' })).toHaveCount(0)
  const answer = await member.goto('/tools')
  expect(answer?.status()).toBe(403)
  await expect(member.getByRole('main').getByText('This page is for admins')).toBeVisible()
  expect(await answer?.text()).not.toContain('Prompt overhead')

  await member.goto(`/runs?search=${mark}`)
  await expect(member.getByRole('link', { name: /of the member/ })).toBeVisible()
  await expect(member.getByText('of the admin')).toHaveCount(0)
  await expect(member.getByRole('status').filter({ hasText: /^1 run$/ })).toBeVisible()
  expect((await member.goto(`/runs/${adminRun}`))?.status()).toBe(404)
  await expect(
    member.getByRole('heading', { name: 'Page not found, or you don’t have access' }),
  ).toBeVisible()
  await expect(member.getByText('Secret words.')).toHaveCount(0)
  await member.goto(`/playground?run=${adminRun}`)
  await expect(member.getByRole('main').getByText('This run cannot be shown')).toBeVisible()
  await expect(member.getByText('Secret words.')).toHaveCount(0)

  await page.goto(`/runs?search=${mark}`)
  await expect(page.getByRole('table')).toContainText(accounts.member.email)
  await expect(page.getByRole('link', { name: /of the member/ })).toBeVisible()
})

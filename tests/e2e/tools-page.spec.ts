import type { APIRequestContext, Page, Request } from 'playwright/test'
import { newMark } from './support/model-requests'
import { expectEnd, fillPlayground, openToolPicker, pressRun, run } from './support/playground'
import { stateFile } from './support/site'
import { expect, test } from './support/test'
import { chooseFromMenu, openTools, resetTool, toolRows, toolSwitch } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

// These tools belong to this file: other files run at the same time.
const ordinary = 'get_runtime_info'
const raw = 'get_env_raw'

test('tools are found by words and filters, which the address keeps, tell what they take, and raw data takes a reason', async ({
  page,
}) => {
  await openTools(page)
  const all = await toolRows(page).count()
  expect(all).toBeGreaterThanOrEqual(12)
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('environment raw')
  await expect(toolRows(page)).toHaveCount(1)
  await expect(page).toHaveURL(/\?search=environment\+raw$/)
  await page.reload()
  await whenInteractive(page.getByRole('searchbox', { name: 'Search tools' }))
  await expect(toolRows(page)).toHaveCount(1)
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('nothing like it')
  await expect(page.getByText('No tools match this filter')).toBeVisible()
  await page.getByRole('button', { name: /^Show all \d+ tools$/ }).click()
  await expect(toolRows(page)).toHaveCount(all)

  await page.getByRole('combobox', { name: 'Effect' }).click()
  await page.getByRole('option', { name: 'Writes', exact: true }).click()
  await expect(toolSwitch(page, 'list_users')).toHaveCount(0)
  await expect(toolSwitch(page, 'append_line')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(toolRows(page)).toHaveCount(all)

  const table = page.getByRole('table', { name: 'Tools' })
  await expect(table).toContainText('Not loaded: broken.mjs cannot be loaded: SyntaxError')
  await expect(toolSwitch(page, 'broken_tool')).toBeDisabled()
  await expect(page.getByText(/≈ .+ tokens a request/)).toBeVisible()

  await expect(toolSwitch(page, raw)).not.toBeChecked()
  await toolSwitch(page, raw).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('go to the provider unchanged')
  await dialog.getByRole('button', { name: `Switch on ${raw}` }).click()
  await expect(dialog.getByText('Say why it is needed.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Comparing two machines')
  await dialog.getByRole('button', { name: `Switch on ${raw}` }).click()
  await expect(toolSwitch(page, raw)).toBeChecked()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toolSwitch(page, raw)).not.toBeChecked()

  await page.getByRole('link', { name: 'fetch_logs', exact: true }).click()
  const told = page.getByRole('region', { name: 'What models are told' })
  await expect(told).toContainText('level')
  await expect(told).toContainText('limit')
  await expect(told).toContainText(/Time limit: .+ s\. Default: on\. For admins\./)
})

test('switching with a reason shows who, when and why; the rest is picked in the Playground; a member who sends the same changes nothing', async ({
  page,
  playwright,
  baseURL,
}) => {
  test.slow()
  const sent: Request[] = []
  page.on('request', (request) => {
    if (request.headers()['next-action']) sent.push(request)
  })
  await openTools(page, `?search=${ordinary}`)
  const row = page.getByRole('row').filter({ has: toolSwitch(page, ordinary) })
  await expect(row).toBeVisible()
  // A first try that failed halfway left it off.
  if (!(await toolSwitch(page, ordinary).isChecked())) await resetTool(page, ordinary)
  await expect(row).toContainText('Default (on)')
  await chooseFromMenu(page, ordinary, /with a reason/)
  await page.getByLabel('Reason').fill('Too <b>loud</b> today')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: `Switch off ${ordinary}` })
    .click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(toolSwitch(page, ordinary)).not.toBeChecked()
  await expect(row).toContainText('Too <b>loud</b> today')
  await expect(row).toContainText('Ada Admin')
  await expect(row).toContainText('just now')
  const action = sent.find((request) => request.postData()?.includes(ordinary))

  await fillPlayground(page, { prompt: `${newMark()} [[say: Offered: {{offer}}.]]` })
  await test.step('the Playground says why a tool cannot be picked', async () => {
    const picker = await openToolPicker(page)
    await expect(picker.getByRole('checkbox', { name: ordinary, exact: true })).toHaveCount(0)
    await picker.getByText(/not offered$/).click()
    const choice = picker.getByRole('listitem').filter({ hasText: 'Too <b>loud</b> today' })
    await expect(choice).toContainText(ordinary)
    await expect(choice).toContainText(
      'Switched off for this site by admin@example.org: Too <b>loud</b> today. An admin can switch the tool on.',
    )
    await expect(choice.getByRole('link', { name: 'See it under Tools' })).toHaveAttribute(
      'href',
      `/tools?search=${ordinary}`,
    )
  })
  await test.step('tools are picked singly, by group and by search, and stay picked', () =>
    pickAndReload(page))

  await openTools(page, `?search=${ordinary}&state=changed`)
  await resetTool(page, ordinary)
  await test.step('the same action with a cookie of a member, or none, changes nothing', async () => {
    if (!action) throw new Error('No action was sent.')
    for (const storageState of [stateFile('member'), { cookies: [], origins: [] }]) {
      const client = await playwright.request.newContext({ baseURL, storageState })
      await sendRefused(client, action, String(baseURL))
      await client.dispose()
    }
  })
  await openTools(page, `?search=${ordinary}`)
  await expect(toolSwitch(page, ordinary)).toBeChecked()
  await expect(row).toContainText('Default (on)')
})

async function pickAndReload(page: Page): Promise<void> {
  const picker = await openToolPicker(page)
  const group = picker.getByRole('group', { name: 'extra' })
  const whole = group.getByRole('checkbox', { name: 'extra', exact: true })
  const one = group.getByRole('checkbox', { name: 'slow_read', exact: true })
  await expect(whole).toBeChecked()
  await one.click()
  await expect(whole).toBeChecked({ indeterminate: true })
  await whole.click()
  await expect(one).toBeChecked()
  await whole.click()
  await expect(one).not.toBeChecked()

  await picker.getByRole('searchbox', { name: 'Search tools' }).fill('accounts groups')
  await expect(picker.getByRole('checkbox', { name: 'slow_read', exact: true })).toHaveCount(0)
  await expect(picker.getByRole('checkbox', { name: 'list_groups', exact: true })).toBeVisible()
  await picker.getByRole('searchbox', { name: 'Search tools' }).fill('nothing like it')
  await expect(picker.getByText('No matches')).toBeVisible()

  await page.reload()
  await openToolPicker(page)
  await expect(one).not.toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(/Offered/)
  await pressRun(page)
  await expectEnd(page, 'Completed')
  const answer = run(page).getByText(/^Offered: /)
  await expect(answer).toContainText('list_users')
  await expect(answer).not.toContainText('slow_read')
}

/** Sends an action again and checks that the answer tells nothing. */
async function sendRefused(client: APIRequestContext, action: Request, origin: string) {
  const { 'next-action': id = '', 'content-type': type = '' } = action.headers()
  const headers = { 'next-action': id, 'content-type': type, origin }
  for (const address of ['/tools', '/playground']) {
    const data = action.postData() ?? ''
    const answer = await client.post(address, { headers, data, maxRedirects: 0 })
    const text = await answer.text()
    expect(text, address).not.toContain('"ok":true')
    expect(text, address).not.toContain('schemaTokens')
  }
}

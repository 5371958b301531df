import { toolPicker } from './support/playground'
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

  const row = page.getByRole('row').filter({ hasText: 'fetch_logs' })
  await row.getByRole('button', { name: 'fetch_logs', exact: true }).click()
  const table = page.getByRole('table', { name: 'Tools' })
  await expect(table).toContainText('level')
  await expect(table).toContainText('limit')
  await expect(table).toContainText(/Time limit: .+ s\. Default: on\. May be used by: admins\./)
  await expect(page.getByText(/≈ .+ tokens a request/)).toBeVisible()

  await expect(toolSwitch(page, raw)).not.toBeChecked()
  await toolSwitch(page, raw).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('sent to the model’s provider unchanged')
  await dialog.getByRole('button', { name: `Switch on ${raw}` }).click()
  await expect(dialog.getByText('Say why it is needed.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Comparing two machines')
  await dialog.getByRole('button', { name: `Switch on ${raw}` }).click()
  await expect(toolSwitch(page, raw)).toBeChecked()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toolSwitch(page, raw)).not.toBeChecked()
})

test('switching with a reason shows who, when and why; reset forgets it', async ({ page }) => {
  await openTools(page, `?search=${ordinary}`)
  const row = page.getByRole('row').filter({ has: toolSwitch(page, ordinary) })
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
  await expect(row).toContainText('admin@example.org')
  await expect(row).toContainText('just now')

  await page.goto('/playground')
  const box = page.getByRole('checkbox', { name: ordinary, exact: true })
  const choice = toolPicker(page).getByRole('listitem').filter({ has: box })
  await expect(choice.getByRole('checkbox')).toBeDisabled()
  await expect(choice).toContainText(
    'Switched off for this site by admin@example.org: Too <b>loud</b> today. An admin can switch the tool on.',
  )
  await expect(choice.getByRole('link', { name: 'See it under Tools' })).toHaveAttribute(
    'href',
    `/tools?search=${ordinary}`,
  )
  await openTools(page, `?search=${ordinary}&state=changed`)
  await resetTool(page, ordinary)
  await openTools(page, `?search=${ordinary}`)
  await expect(toolSwitch(page, ordinary)).toBeChecked()
  await expect(row).toContainText('Default (on)')
})

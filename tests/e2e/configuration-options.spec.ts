import { expect } from '@playwright/test'
import { expectAccessible } from './support/expect-accessible'
import { test } from './support/test'
import { whenInteractive } from './support/when-interactive'

test('further parameters are set in the form, shown as facts, and compared one by one', async ({
  page,
}) => {
  const name = `Options ${Date.now()}`
  await page.goto('/configurations/new')
  const field = page.getByRole('textbox', { name: 'Name', exact: true })
  await whenInteractive(field)
  await field.fill(name)
  await page.getByRole('button', { name: /^Model: / }).click()
  await page.getByRole('option').filter({ hasText: 'Test model' }).first().click()
  await page.getByText('Further parameters').click()
  await expectAccessible(page, 'further parameters')
  await page.getByRole('textbox', { name: 'Extra body fields' }).fill('{"model": "other"}')
  await page.getByRole('button', { name: 'Add configuration' }).click()
  await expect(page.getByText(/Toolgate sets model itself for/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Extra body fields' }).fill('{"safe_prompt": true}')
  await page.getByRole('button', { name: 'Add configuration' }).click()
  await page.waitForURL(/\/configurations\/[0-9a-f-]{36}$/)
  await expect(page.getByText('{"safe_prompt":true}')).toBeVisible()

  await page.goto(`${page.url()}/edit`)
  // What is still streamed stands in the document a second time, hidden.
  const parameters = page.getByRole('region', { name: 'Parameters' })
  const further = parameters.getByText('Further parameters')
  await whenInteractive(further)
  await expect(further).toContainText('1 set')
  await further.click()
  await page.getByRole('combobox', { name: 'Tool choice' }).click()
  await page.getByRole('option', { name: 'Must call one tool' }).click()
  await page.getByRole('textbox', { name: 'Name of the tool' }).fill('fetch_logs')
  await page.getByRole('switch', { name: 'Prompt caching' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.waitForURL(/\/configurations\/[0-9a-f-]{36}$/)
  await page.goto(`${page.url()}/history?from=1&to=2`)
  const main = page.getByRole('main')
  await expect(main.getByText('Must call fetch_logs')).toBeVisible()
  await expect(main.getByText('Tool choice, Prompt caching')).toBeVisible()
})

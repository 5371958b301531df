import { expectAccessible } from './support/expect-accessible'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

test('a connection gets a second key, limits for it, a switch, and loses it again', async ({
  page,
}) => {
  test.slow()
  const name = `Two keys ${Date.now()}`
  const button = (label: string | RegExp) => page.getByRole('button', { name: label })
  await page.goto('/connections/new?preset=vllm')
  await whenInteractive(button('Add connection'))
  await page.getByRole('textbox', { name: /^Name/ }).fill(name)
  await page.getByLabel('Base URL').fill(`${readSite().modelUrl}/v1`)
  await page.getByLabel('Allow this address in a private network').check()
  await page.getByLabel(/^API key/).fill('sk-first-0123456789aaaa')
  await button('Add connection').click()
  await page.waitForURL(/\/connections\/[0-9a-f-]{36}$/)

  const keys = page.getByRole('region', { name: 'Keys', exact: true })
  const rows = keys.getByRole('listitem')
  await expect(rows).toHaveText([/main.*…aaaa.*Ready/])
  await keys.getByRole('button', { name: 'Add key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('team b')
  await dialog.getByLabel(/^API key/).fill('sk-second-0123456789bbbb')
  await dialog.getByLabel('Weight').fill('0')
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await expect(dialog.getByText('At least 1.')).toBeVisible()
  await dialog.getByLabel('Weight').fill('3')
  await dialog.getByRole('button', { name: 'Add key' }).click()
  await expect(rows).toHaveText([/main/, /team b.*…bbbb.*weight 3, no limit/])

  await keys.getByRole('button', { name: 'Edit… team b' }).click()
  await dialog.getByLabel(/^Requests a minute/).fill('60')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(rows.nth(1)).toContainText('60 requests a minute')
  await expectAccessible(page, 'a connection with two keys')

  await keys.getByRole('switch', { name: 'team b' }).click()
  await dialog.getByRole('button', { name: 'Switch off team b' }).click()
  await expect(rows.nth(1)).toContainText('Off')
  await keys.getByRole('button', { name: 'Remove… team b' }).click()
  await dialog.getByRole('button', { name: 'Delete the key team b' }).click()
  await expect(rows).toHaveText([/main/])
})

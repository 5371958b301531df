import { readFileSync } from 'node:fs'
import { go } from './support/go'
import { expectAccessible } from './support/page-checks'
import { calls, expectEnd, fillPlayground, pressRun } from './support/playground'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

test('an admin uploads an image, describes it, and approves the text that a run of the demo writes', async ({
  page,
  playwright,
  baseURL,
}) => {
  const client = await playwright.request.newContext({
    baseURL,
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${readSite().adminKey}` },
  })
  const name = `Pictures ${test.info().retry}`
  await go(page, '/resources/storages')
  const add = page.getByRole('button', { name: 'Add storage' }).first()
  await whenInteractive(add)
  await add.click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill(name)
  await form.getByRole('button', { name: 'Add storage' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('No assets yet')).toBeVisible()
  await expectAccessible(page, 'a storage without assets')

  const image = {
    name: 'icon.png',
    mimeType: 'image/png',
    buffer: readFileSync('docs/images/playground.png'),
  }
  await page.getByLabel('Folder').fill('press')
  await page.getByLabel('Files to upload').setInputFiles(image)
  await expect(page.getByText('uploaded', { exact: true })).toBeVisible()
  await expect(page.getByRole('table')).toContainText('press/icon.png')
  await page.getByLabel('Files to upload').setInputFiles(image)
  await page.getByRole('button', { name: 'Replace press/icon.png' }).click()
  await expect(page.getByText('uploaded', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a storage with an asset')

  await page.getByRole('link', { name: 'icon.png' }).first().click()
  await expect(page.getByText('None yet')).toBeVisible()
  await expect(page.getByRole('main').locator('img')).toHaveJSProperty('complete', true)
  await expectAccessible(page, 'an asset')
  await page.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog')
  await edit.getByLabel('Title').fill('Playground')
  await edit.getByLabel('Alternative text').fill('A page with a prompt.')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Playground' })).toBeVisible()
  const described = page.getByRole('region', { name: 'Alternative text' })
  await expect(described.getByText('A page with a prompt.')).toBeVisible()
  const address = page.url()

  const tool = '/api/v1/tools/set_alternative_text'
  const on = { enabled: true, reason: 'Texts for the press' }
  expect((await client.put(tool, { data: on })).ok()).toBe(true)
  const uid = address.split('/').at(-1)
  const written = JSON.stringify({ uid, text: 'A prompt and its answer.' })
  const prompt = `Use set_alternative_text ${written}`
  await fillPlayground(page, {
    configuration: 'Demo (no model)',
    prompt,
    tools: ['set_alternative_text'],
  })
  await pressRun(page)
  const call = calls(page).first()
  await expect(call).toContainText('A page with a prompt.')
  await expect(call).toContainText('A prompt and its answer.')
  await call.getByRole('button', { name: 'Approve set_alternative_text' }).click()
  await expectEnd(page, 'Completed')
  await page.goto(address)
  await expect(page.getByRole('main')).toContainText('A prompt and its answer.')
  await client.delete(tool)
  await client.dispose()

  const more = page.getByRole('button', { name: 'More', exact: true })
  await whenInteractive(more)
  await more.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByText('No assets yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('table')).toContainText('press/icon.png')
})

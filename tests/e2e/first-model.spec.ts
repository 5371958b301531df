import { expect, type Locator, type Page } from '@playwright/test'
import { readSite } from './support/site'
import { test } from './support/test'
import { whenInteractive } from './support/when-interactive'

/** Goes to an element as somebody without a mouse does. */
async function tabTo(page: Page, wanted: Locator, limit = 120): Promise<void> {
  await whenInteractive(wanted)
  for (let press = 0; press < limit; press += 1) {
    if (await wanted.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`${wanted} was not reached in ${limit} presses of Tab.`)
}

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}

async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

test('from nothing to a first run on a local server, by keyboard alone, in under two minutes', async ({
  page,
}) => {
  // Its own limit is the one that fails it.
  test.slow()
  const name = `Desk ${Date.now()}`
  const started = Date.now()
  const button = (label: string) => page.getByRole('button', { name: label, exact: true })
  const link = (label: string | RegExp) => page.getByRole('main').getByRole('link', { name: label })

  await page.goto('/connections')
  await press(page, link('Add connection').first())
  await press(page, page.getByRole('link', { name: /^vLLM/ }))
  await page.waitForURL(/preset=vllm/)
  await type(page, page.getByRole('textbox', { name: 'Name', exact: true }), name)
  await type(page, page.getByLabel('Base URL'), `${readSite().modelUrl}/v1`)
  await press(page, button('Test'))
  await expect(page.getByText('Answers', { exact: false }).first()).toBeVisible()
  await press(page, button('Add connection'))
  await page.waitForURL(/\/connections\/[0-9a-f-]{36}$/)

  await press(page, link('Discover models'))
  await press(page, page.getByRole('checkbox', { name: 'Pick test-model' }), 'Space')
  await press(page, button('Add 1 model'))
  await press(page, link('Added'))
  await page.waitForURL(/\/models\/[0-9a-f-]{36}$/)

  await press(page, button('Test tool calling'))
  const dialog = page.getByRole('dialog')
  await press(page, dialog.getByRole('button', { name: 'Test', exact: true }))
  await expect(dialog.getByRole('status')).toContainText('tokens')
  await page.keyboard.press('Escape')
  await press(page, button('Add price'))
  await type(page, dialog.getByLabel(/^Input/), '0.5')
  await type(page, dialog.getByLabel(/^Output/), '1.5')
  await press(page, dialog.getByRole('button', { name: 'Save price' }))
  await expect(dialog).toHaveCount(0)

  await press(page, link('Add configuration with it'))
  await page.waitForURL(/\/configurations\/new/)
  await type(page, page.getByRole('textbox', { name: 'Name', exact: true }), name)
  await press(page, button('Add configuration'))
  await page.waitForURL(/\/configurations\/[0-9a-f-]{36}$/)
  await press(page, button('Test'))
  await press(page, dialog.getByRole('button', { name: 'Send one request' }))
  await expect(dialog).toContainText('Completed')
  await page.keyboard.press('Escape')

  await press(page, link('Run in the Playground'))
  await page.waitForURL(/\/playground/)
  await expect(page.getByRole('button', { name: `Configuration: ${name}` })).toBeVisible()
  await type(page, page.getByRole('textbox', { name: 'Prompt' }), '[[say: Here we are.]]')
  await page.keyboard.press('Control+Enter')
  const run = page.getByRole('region', { name: 'Run', exact: true })
  await expect(run).toContainText('Here we are.')
  await expect(run.getByRole('region', { name: 'How the run ended' })).toContainText('$0.00')
  expect(Date.now() - started).toBeLessThan(120_000)
})

test('a configuration that is off is not silently exchanged for another in the Playground', async ({
  page,
}) => {
  const switched = page.getByRole('switch', { name: 'Configuration is on' })
  await page.goto('/configurations?search=switched')
  await page.locator('a[href^="/configurations/0"]').filter({ visible: true }).first().click()
  await page.waitForURL(/\/configurations\/[0-9a-f-]{36}$/)
  const id = page.url().split('/').at(-1)
  await whenInteractive(switched)
  await switched.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('For a test')
  await dialog.getByRole('button', { name: /^Switch off/ }).click()
  await expect(dialog).toHaveCount(0)

  await page.goto('/playground?configuration=switched')
  await expect(
    page.getByRole('main').getByText('The configuration cannot be used now'),
  ).toBeVisible()
  await expect(
    page.getByRole('main').getByText(/is switched off\. Pick another one\./),
  ).toBeVisible()
  const picker = page.getByRole('button', { name: 'Configuration: none picked' })
  await whenInteractive(picker)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('[[say: no]]')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await expect(page.getByText('Pick a configuration.', { exact: true })).toBeVisible()

  await page.goto(`/configurations/${id}`)
  await whenInteractive(switched)
  await switched.click()
  await expect(switched).toBeChecked()
  await page.goto('/playground?configuration=switched')
  await expect(page.getByRole('button', { name: 'Configuration: Switched' })).toBeVisible()
})

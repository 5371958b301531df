import { expect, type Locator, type Page } from 'playwright/test'
import { promised } from '@/tests/support/promised'
import { go } from './support/go'
import { expectAccessible } from './support/page-checks'
import { readSite } from './support/site'
import { test } from './support/test'
import { whenInteractive } from './support/when-interactive'

/** Goes to an element as somebody without a mouse does: over the skip link of a new page. */
async function tabTo(page: Page, wanted: Locator, limit = 120): Promise<void> {
  await whenInteractive(wanted)
  for (let press = 0; press < limit; press += 1) {
    const focused = await wanted.evaluate((node) => {
      if (node === document.activeElement) return 'wanted'
      return document.activeElement?.getAttribute('href') === '#content' ? 'skip link' : 'another'
    })
    if (focused === 'wanted') return
    if (focused === 'skip link') await page.keyboard.press('Enter')
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

test('from nothing to a first run on a local server, by keyboard alone, in under two minutes; then its configuration is changed and switched', async ({
  page,
}) => {
  // Its own limit is the one that fails it.
  test.slow()
  const name = `Desk ${Date.now()}`
  const started = Date.now()
  const button = (label: string) => page.getByRole('button', { name: label, exact: true })
  const link = (label: string | RegExp) => page.getByRole('main').getByRole('link', { name: label })

  await go(page, '/connections')
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
  const configuration = page.url()
  await press(page, button('Test'))
  await press(page, dialog.getByRole('button', { name: 'Test', exact: true }))
  await expect(dialog).toContainText('Completed')
  await page.keyboard.press('Escape')

  await press(page, page.getByRole('link', { name: 'Run', exact: true }))
  await page.waitForURL(/\/playground/)
  await expect(page.getByRole('button', { name: `Configuration: ${name}` })).toBeVisible()
  await type(page, page.getByRole('textbox', { name: 'Prompt' }), '[[say: Here we are.]]')
  await page.keyboard.press('Control+Enter')
  const run = page.getByRole('region', { name: 'Run', exact: true })
  await expect(run).toContainText('Here we are.')
  await expect(run.getByRole('group', { name: 'State and totals' })).toContainText('$0.00')
  expect(Date.now() - started).toBeLessThan(promised(120_000))

  await go(page, configuration)
  await test.step('further parameters are set, shown as facts, and compared one by one', () =>
    setFurtherParameters(page))
  await test.step('off, it is not silently exchanged for another in the Playground', () =>
    switchOffAndOn(page, name))
})

/** Changes the configuration whose page is open twice. */
async function setFurtherParameters(page: Page): Promise<void> {
  const address = page.url()
  // Streamed content stands in the document a second time, hidden.
  const advanced = page.getByRole('region', { name: 'Advanced' })
  const provider = advanced.getByText('Provider options')
  const save = page.getByRole('button', { name: 'Save changes' })
  await go(page, `${address}/edit`)
  await whenInteractive(provider)
  await provider.click()
  await expectAccessible(page, 'options of the provider')
  await page.getByRole('textbox', { name: 'Extra body fields' }).fill('{"model": "other"}')
  await save.click()
  await expect(page.getByText(/Toolgate sets model itself for/)).toBeVisible()
  await page.getByRole('textbox', { name: 'Extra body fields' }).fill('{"safe_prompt": true}')
  await save.click()
  await page.waitForURL(address)
  await expect(page.getByText('{"safe_prompt":true}')).toBeVisible()

  await go(page, `${address}/edit`)
  await whenInteractive(provider)
  await expect(advanced).toContainText('Extra body fields set')
  await advanced.getByText('Tool calling').click()
  await page.getByRole('combobox', { name: 'Tool choice' }).click()
  await page.getByRole('option', { name: 'Must call one tool' }).click()
  await page.getByRole('textbox', { name: 'Tool name' }).fill('fetch_logs')
  await provider.click()
  await page.getByRole('switch', { name: 'Prompt caching' }).click()
  await save.click()
  await page.waitForURL(address)
  await go(page, `${address}/history?from=2&to=3`)
  const main = page.getByRole('main')
  await expect(main.getByText('Must call fetch_logs')).toBeVisible()
  await expect(main.getByText('Tool choice, Prompt caching')).toBeVisible()
  await go(page, address)
}

/** Switches the configuration whose page is open off and on, and looks at the Playground both times. */
async function switchOffAndOn(page: Page, name: string): Promise<void> {
  const address = page.url()
  const switched = page.getByRole('switch', { name, exact: true })
  await whenInteractive(switched)
  await switched.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason').fill('For a test')
  await dialog.getByRole('button', { name: /^Switch off/ }).click()
  await expect(dialog).toHaveCount(0)

  const playground = `/playground?configuration=${name.toLowerCase().replace(' ', '-')}`
  const main = page.getByRole('main')
  await go(page, playground)
  await expect(main.getByText('Configuration not usable now')).toBeVisible()
  await expect(main.getByText(/is switched off\. Pick another one\./)).toBeVisible()
  await whenInteractive(page.getByRole('button', { name: 'Configuration: none picked' }))
  await page.getByRole('textbox', { name: 'Prompt' }).fill('[[say: no]]')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()
  await expect(page.getByText('Pick a configuration.', { exact: true })).toBeVisible()

  await go(page, address)
  await whenInteractive(switched)
  await switched.click()
  await expect(switched).toBeChecked()
  await go(page, playground)
  await expect(page.getByRole('button', { name: `Configuration: ${name}` })).toBeVisible()
}

import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible, expectEveryLook, expectNoSidewaysScroll } from './support/page-checks'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Counts what a person clicks, over all pages. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  let clicks = 0
  await page.exposeFunction('countClick', () => void clicks++)
  await page.addInitScript(() => {
    addEventListener(
      'click',
      // A click on a label is one more, on its control.
      (event) => event.isTrusted && event.detail > 0 && Reflect.get(window, 'countClick')(),
      { capture: true },
    )
  })
  return async () => clicks
}

async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
}

test('from a key to a first run with a tool: eight clicks, two fields, one page; then it is undone', async ({
  page,
}) => {
  const clicks = await countClicks(page)
  await go(page, '/connections')
  await page.getByRole('main').getByRole('link', { name: 'Connect a model' }).click()
  await page.getByRole('link', { name: /^Other server/ }).click()
  await whenInteractive(button(page, 'Find models'))
  await page.getByLabel(/^Base URL/).fill(`${readSite().modelUrl}/v1`)
  await page.getByLabel('Allow this address in a private network').check()
  await page.getByLabel(/^API key/).focus()
  await paste(page, 'sk-first-0123456789abcdef')
  await expect(page.getByText('1 model found.')).toBeVisible()
  await expect(page.getByRole('radio', { name: /Test model/ })).toBeChecked()
  await expect(page.getByRole('radio', { name: /^Secret-adjacent/ })).toBeChecked()
  await expect(page.getByText(/^\d+ of \d+ tools$/)).toHaveCount(5)
  await pickPrice(page, 'Free')
  await expectEveryLook(page, 'connect: models found', 'content')
  await page.getByLabel('Nothing sent there leaves our own network.').check()
  await button(page, 'Connect').click()
  await expect(page.getByRole('heading', { name: 'Connected' })).toBeVisible()

  const prompt = `${newMark()} [[call calculate {"expression":"6*7"}]] [[then]] [[say: It is 42.]]`
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
  await button(page, 'Run').click()
  await expect(page.getByText('It is 42.', { exact: true })).toBeVisible()
  await expect(page.getByText('Done', { exact: true }).first()).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/connect')
  expect(await clicks()).toBeLessThanOrEqual(8)
  await expectAccessible(page, 'connect: first run')
  await expectNoSidewaysScroll(page, 'connect: first run')

  await button(page, 'Undo').click()
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  await expect(button(page, 'Find models')).toBeVisible()
})

test('a key that is missing, data that needs a reason, and a server that does not answer are said where they belong', async ({
  page,
}) => {
  await go(page, '/connect?provider=openai')
  await whenInteractive(button(page, 'Find models'))
  await button(page, 'Find models').click()
  await expect(page.getByText('Paste the key.')).toBeVisible()
  await expect(page.getByLabel(/^API key/)).toBeFocused()

  await go(page, '/connect?provider=other')
  await whenInteractive(button(page, 'Find models'))
  await page.getByLabel(/^Base URL/).fill('http://127.0.0.1:9/v1')
  await button(page, 'Find models').click()
  await expect(page.getByText(/^This address is on this machine\./)).toBeVisible()
  await page.getByLabel('Allow this address in a private network').check()
  await button(page, 'Find models').click()
  await expect(page.getByText(/^Nothing answers/)).toBeVisible()

  await page.getByLabel(/^Base URL/).fill(`${readSite().modelUrl}/v1`)
  await page.getByLabel(/^API key/).fill('sk-first-0123456789abcdef')
  await page.keyboard.press('Enter')
  await button(page, 'Connect').click()
  await expect(page.getByText('Pick a price.')).toBeVisible()
  await pickPrice(page, 'Free')
  await page.getByRole('radio', { name: /^Internal configuration/ }).check()
  await button(page, 'Connect').click()
  await expect(page.getByLabel('Reason')).toBeFocused()
  await expect(page.getByText('Trust zone: External, global')).toBeVisible()
  // Another address has to be asked again.
  await page.getByLabel(/^Base URL/).fill(`${readSite().modelUrl}/v2`)
  await expect(button(page, 'Connect')).toHaveCount(0)
})

test('a model of unknown price meets a budget: the form says what stops, the run is refused for its price, and with one it runs', async ({
  page,
}) => {
  await go(page, '/connect?provider=other')
  await whenInteractive(button(page, 'Find models'))
  await page.getByLabel(/^Base URL/).fill(`${readSite().modelUrl}/v1`)
  await page.getByLabel('Allow this address in a private network').check()
  await page.getByLabel(/^API key/).fill('sk-first-0123456789abcdef')
  await page.keyboard.press('Enter')
  await pickPrice(page, 'Unknown')
  await expect(page.getByText('Cost budgets refuse it until it has a price.')).toBeVisible()
  await page.getByLabel('Nothing sent there leaves our own network.').check()
  await button(page, 'Connect').click()
  await expect(page.getByRole('heading', { name: 'Connected' })).toBeVisible()
  const added = page.getByRole('main').locator('a[href^="/configurations/"]').first()
  const identifier = (await added.textContent()) ?? ''
  await go(page, (await added.getAttribute('href')) ?? '')
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''

  await go(page, '/budgets')
  const add = page.getByRole('main').getByRole('button', { name: 'Add budget' }).first()
  await whenInteractive(add)
  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Add budget' })
  const pick = async (label: string, option: string) => {
    await dialog.getByRole('combobox', { name: label, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await pick('For', 'A configuration')
  await pick('Configuration', name)
  await dialog.getByRole('textbox', { name: 'Limit' }).fill('50')
  await dialog.getByRole('button', { name: 'Add budget' }).click()
  await expect(dialog.getByText(/^Pick one, or add the prices/)).toBeVisible()
  await pick('A model without a price', 'Refuse: 1 configuration stops')
  await expectEveryLook(page, 'a budget beside a model without a price', 'content')
  await dialog.getByRole('button', { name: 'Add budget' }).click()
  await expect(dialog).toBeHidden()

  await go(page, '/overview')
  await expect(page.getByRole('link', { name: /in use without a price/ })).toBeVisible()
  await go(page, `/playground?configuration=${identifier}`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('[[say: Within.]]')
  await expect(button(page, 'Run')).toHaveAccessibleDescription(
    /counts cost, and Test model has no price\. An admin can add a price\./,
  )
  await expect(page.getByRole('link', { name: 'Add price' })).toHaveAttribute(
    'href',
    '/models?price=missing',
  )

  await go(page, '/budgets')
  await page.getByRole('main').getByRole('row').filter({ hasText: name }).getByRole('link').click()
  await page.waitForURL('**/budgets/*')
  const change = page.getByRole('main').getByRole('button', { name: 'Edit' })
  await whenInteractive(change)
  await change.click()
  const edit = page.getByRole('dialog', { name: /^Edit/ })
  await edit.getByLabel('Input price of Test model').fill('0.5')
  await edit.getByLabel('Output price of Test model').fill('1.5')
  await edit.getByRole('button', { name: 'Add price' }).click()
  await expect(edit.getByRole('region', { name: 'Models without a price' })).toHaveCount(0)
  await go(page, `/playground?configuration=${identifier}`)
  await page.getByRole('textbox', { name: 'Prompt' }).fill('[[say: Within.]]')
  await button(page, 'Run').click()
  await expect(page.getByText('Within.', { exact: true })).toBeVisible()
})

async function pickPrice(page: Page, answer: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Per million tokens' }).click()
  await page.getByRole('option', { name: answer, exact: true }).click()
}

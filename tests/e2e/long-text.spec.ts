import type { Locator, Page } from 'playwright/test'
import { go } from './support/go'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const long = 1_000_000

/** Pastes a text without a blank. Returns whether the field took it. */
async function pasteLong(field: Locator, length: number): Promise<boolean> {
  return field.evaluate((element: HTMLTextAreaElement, length) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', 'x'.repeat(length))
    const init = { clipboardData, bubbles: true, cancelable: true }
    element.focus()
    // The browser pastes only what a person pastes.
    const taken = element.dispatchEvent(new ClipboardEvent('paste', init))
    if (taken) document.execCommand('insertText', false, 'x'.repeat(length))
    return taken
  }, length)
}

/** Returns the least time of three that a key takes until the page is drawn again: other tests keep the machine busy. */
async function timeOfKey(page: Page): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    await page.evaluate(() => {
      const watch = window as unknown as { time: Promise<number> }
      watch.time = new Promise((done) => {
        const tell = () => {
          const from = performance.now()
          requestAnimationFrame(() => setTimeout(() => done(performance.now() - from)))
        }
        document.addEventListener('keydown', tell, { once: true, capture: true })
      })
    })
    await page.keyboard.press('k')
    times.push(await page.evaluate(() => (window as unknown as { time: Promise<number> }).time))
  }
  return Math.min(...times)
}

const fields: readonly (readonly [string, string, taken: boolean])[] = [
  ['/playground', 'Prompt', false],
  ['/configurations/new', 'System prompt (optional)', false],
  ['/tasks/new', 'Prompt', false],
  ['/settings/site-file', 'Text of the file', true],
]

test('a page answers a key within a second while 1 MB without a blank is pasted into a field', async ({
  page,
}) => {
  for (const [address, label, taken] of fields) {
    await go(page, address)
    const field = page.getByRole('textbox', { name: label, exact: true })
    await whenInteractive(field)
    expect(await pasteLong(field, long), address).toBe(taken)
    if (!taken) await expect(page.getByText('so nothing was inserted')).toBeVisible()
    expect(await timeOfKey(page), address).toBeLessThan(1_000)
    await field.fill('')
  }

  await test.step('the longest prompt is as quick, and a longer text becomes a file', async () => {
    await page.goto('/playground')
    const field = page.getByRole('textbox', { name: 'Prompt', exact: true })
    await whenInteractive(field)
    expect(await pasteLong(field, 199_990)).toBe(true)
    expect(await timeOfKey(page)).toBeLessThan(1_000)
    expect(await pasteLong(field, long)).toBe(false)
    await page.getByRole('button', { name: 'Attach as file' }).click()
    await expect(page.getByText('pasted-text.txt is attached.')).toBeAttached()
    await field.fill('')
  })

  await test.step('a draft that is too long is removed, which the page says once', async () => {
    await page.evaluate((text) => {
      sessionStorage.setItem('toolgate.playground.prompt', text)
    }, 'x'.repeat(long))
    await page.goto('/playground')
    await expect(page.getByText('Earlier draft removed')).toBeVisible()
    await expect(page.getByRole('textbox', { name: 'Prompt', exact: true })).toHaveValue('')
    expect(await page.evaluate(() => sessionStorage.getItem('toolgate.playground.prompt'))).toBe('')
  })
})

test('offline, a link keeps the page with its words and says why', async ({ page }) => {
  await go(page, '/configurations/new')
  const field = page.getByRole('textbox', { name: 'System prompt (optional)', exact: true })
  await whenInteractive(field)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
  await expect(page.getByText('You are offline').first()).toBeVisible()
  await expect(page).toHaveURL(/\/configurations\/new$/)
  await expect(field).toBeVisible()
  await page.context().setOffline(false)
  await page.getByRole('link', { name: 'Runs', exact: true }).first().click()
  await expect(page).toHaveURL(/\/runs/)
})

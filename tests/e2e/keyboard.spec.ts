import type { Page } from 'playwright/test'
import { newMark } from './support/model-requests'
import { calls, end, expectEnd, fillPlayground, run } from './support/playground'
import { expect, test } from './support/test'

/** Presses Tab until the focus is where it is wanted; the order may hold other things on the way. */
async function tabTo(page: Page, name: RegExp | string, limit = 40): Promise<void> {
  for (let press = 0; press < limit; press += 1) {
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    const label = await focused.evaluate(
      (node) => node.getAttribute('aria-label') ?? node.textContent ?? '',
    )
    if (typeof name === 'string' ? label.trim() === name : name.test(label)) return
  }
  throw new Error(`${name} was not reached in ${limit} presses of Tab.`)
}

test('by keyboard alone: the skip link, a run that Escape stops, the palette, a run to its end and its cards', async ({
  page,
}) => {
  await test.step('the skip link leads to the page', async () => {
    await page.goto('/tools')
    await page.keyboard.press('Tab')
    const skip = page.getByRole('link', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await expect(skip).toBeInViewport()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  })

  const prompt = page.getByRole('textbox', { name: 'Prompt' })
  await test.step('Escape ends one thing at a time', async () => {
    await fillPlayground(page, {
      prompt: `${newMark()} [[call slow_read {"ms":60000,"label":"never"}]]`,
    })
    await prompt.press('Control+Enter')
    const running = calls(page).getByText('Running', { exact: true })
    await expect(running).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    // The palette took that one for itself; long enough for a stop to show if it did not.
    await page.waitForTimeout(2_000)
    await expect(running).toBeVisible()
    await page.keyboard.press('Escape')
    await expectEnd(page, 'Stopped')
    await expect(calls(page).getByText('Cancelled', { exact: true })).toBeVisible()
  })

  await test.step('a whole run: prompt, Ctrl+Enter, live region, cards', async () => {
    await prompt.fill(
      `${newMark()} [[call slow_read {"ms":8000,"label":"keys"}]] [[then]] [[say: Typed.]]`,
    )
    await prompt.focus()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeFocused()
    await page.keyboard.press('Shift+Tab')
    await expect(prompt).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(end(page).getByText('Stopped', { exact: true })).toBeVisible()
    await page.keyboard.press('Control+Enter')
    const live = run(page).getByRole('status').first()
    await expect(live).toHaveAttribute('aria-live', 'polite')
    await expect(live).toHaveText('Round 1, calling slow_read.')
    await expectEnd(page, 'Completed')
    await expect(live).toHaveText('Run ended: Completed.')
    await expect(prompt).toBeFocused()
    await tabTo(page, /slow_read/)
    await page.keyboard.press('Enter')
    await expect(calls(page).getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
    await expect(calls(page)).toContainText('Arguments')
    await tabTo(page, 'Copy arguments')
    await tabTo(page, 'Run again')
  })

  await test.step('the palette goes places', async () => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
    await page.keyboard.type('runs')
    await expect(page.getByRole('option', { name: /^Runs/, selected: true })).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Runs', level: 1 })).toBeVisible()
  })
})

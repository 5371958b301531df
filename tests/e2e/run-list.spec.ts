import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEveryLook } from './support/page-checks'
import { expectEnd, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const rounds = (page: Page) => page.getByRole('columnheader', { name: 'Rounds' })

/** Presses one box of the menu of columns, by keyboard. */
async function turnColumn(page: Page, name: string): Promise<void> {
  await whenInteractive(button(page, 'Columns'))
  await button(page, 'Columns').press('Enter')
  await page.getByRole('checkbox', { name, exact: true }).press(' ')
  await page.keyboard.press('Escape')
  await expect(button(page, 'Columns')).toBeFocused()
}

test('a run is tagged and found, in columns of one’s own, which a view keeps', async ({ page }) => {
  const mark = newMark().toLowerCase()
  const runId = await runPrompt(page, { prompt: `${mark} [[say: Hello.]]`, tools: [] })
  await expectEnd(page, 'Completed')
  await go(page, `/runs/${runId}`)
  await whenInteractive(button(page, 'Add tag'))
  await button(page, 'Add tag').press('Enter')
  const field = page.getByRole('combobox', { name: 'Add a tag' })
  await expect(field).toBeFocused()
  await page.keyboard.type(` ${mark.toUpperCase()} `)
  await page.keyboard.press('Enter')
  await expect(button(page, `Remove the tag ${mark}`)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(button(page, 'Add tag')).toBeFocused()
  await button(page, 'Add note').press('Enter')
  await page.getByRole('textbox', { name: 'Note' }).fill('Says hello.')
  await button(page, 'Save note').press('Enter')
  await expect(page.getByText('Note by')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Says hello.')).toBeVisible()
  await expectEveryLook(page, 'the page of a run with a tag and a note')

  await page.getByRole('link', { name: mark, exact: true }).click()
  await page.waitForURL(/\/runs\?tag=/)
  await expect(page.getByRole('status').filter({ hasText: '1 run' })).toBeVisible()
  await turnColumn(page, 'Rounds')
  await expect(rounds(page)).toBeVisible()
  await page.reload()
  await expect(rounds(page)).toBeVisible()

  await whenInteractive(button(page, 'Save view'))
  await button(page, 'Save view').press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).fill(mark)
  await page.keyboard.press('Enter')
  await expect(button(page, `View: ${mark}`)).toBeVisible()
  await turnColumn(page, 'Rounds')
  await expect(rounds(page)).toHaveCount(0)
  await expect(page.getByText('Changed', { exact: true })).toBeVisible()
  await expectEveryLook(page, 'the list of runs in a changed view')
  await button(page, 'Reset').click()
  await expect(rounds(page)).toBeVisible()
  await expect(page.getByText('Changed', { exact: true })).toHaveCount(0)

  await go(page, '/playground')
  await go(page, '/runs')
  await turnColumn(page, 'Rounds')
  await expect(rounds(page)).toHaveCount(0)
  await button(page, 'View: All runs').press('Enter')
  await page.getByRole('menuitemradio', { name: mark }).press('Enter')
  await expect(rounds(page)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '1 run' })).toBeVisible()
  await button(page, 'View actions').press('Enter')
  await page.getByRole('menuitem', { name: 'Delete view' }).press('Enter')
  await expect(button(page, 'View: All runs')).toBeVisible()
  await button(page, 'Undo').click()
  await expect(page.getByText('Undone', { exact: true })).toBeVisible()
  await button(page, 'View: All runs').press('Enter')
  await expect(page.getByRole('menuitemradio', { name: mark })).toBeVisible()
})

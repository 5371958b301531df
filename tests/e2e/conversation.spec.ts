import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import { expectEnd, pressRun, run, runIdOf, runPrompt } from './support/playground'
import { expect, test } from './support/test'

const prompt = (page: Page) => page.getByRole('textbox', { name: 'Prompt' })
const before = (page: Page) => run(page).getByRole('region', { name: 'Turns before' })

test('a run is continued with one click, and the turns before stand above it', async ({
  visit,
}) => {
  const page = await visit('member')
  const mark = newMark()
  const first = await runPrompt(page, { prompt: `${mark} [[say: It rains.]]` })
  await expectEnd(page, 'Completed')
  await run(page).getByRole('button', { name: 'Continue' }).click()
  await expect(prompt(page)).toBeFocused()
  await expect(prompt(page)).toHaveValue('')
  await expect(page.getByText(`Next turn after “${mark}`)).toBeVisible()

  await prompt(page).fill('And now? [[say: It stops.]]')
  await pressRun(page)
  await page.waitForURL((url) => url.search !== `?run=${first}`)
  const second = await runIdOf(page)
  await expectEnd(page, 'Completed')
  await expect(run(page).getByText('It stops.', { exact: true })).toBeVisible()
  await expect(before(page)).toContainText('1 turn before')
  await before(page).getByText(`Turn 1: ${mark}`).click()
  await expect(before(page).getByText('It rains.', { exact: true })).toBeVisible()
  await expectAccessible(page, 'a conversation')

  // In a conversation, the next prompt is its next turn.
  await expect(page.getByText('Next turn after “And now?')).toBeVisible()
  await prompt(page).fill('Thanks. [[say: Bye.]]')
  await pressRun(page)
  await page.waitForURL((url) => url.search !== `?run=${second}`)
  await expectEnd(page, 'Completed')
  await expect(before(page)).toContainText('2 turns before')

  await go(page, `/runs/${second}`)
  await expect(before(page)).toContainText('1 turn before')
  await run(page).getByRole('link', { name: 'Continue' }).click()
  await expect(page.getByText('Next turn after “And now?')).toBeVisible()
  await page.getByRole('button', { name: 'Start a new one' }).click()
  await expect(page.getByText('Next turn after')).toHaveCount(0)

  await go(page, '/runs')
  await page.getByRole('link', { name: 'Conversations' }).click()
  await page.getByLabel('Search conversations').fill('And now?')
  const row = page.getByRole('row').filter({ hasText: mark })
  await expect(row).toContainText('3')
  await expectAccessible(page, 'the conversations')
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(`Weather ${mark}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText(`Weather ${mark}`)
  await row.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText(`Weather ${mark}`)
})

import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import {
  calls,
  end,
  expectEnd,
  fillPlayground,
  pressRun,
  run,
  runPrompt,
  totals,
} from './support/playground'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// This configuration and its model are this file's alone: other files run at the same time.
const configuration = 'Counted'

test.describe.configure({ mode: 'serial' })

test('what an unpriced model cost is recomputed once it has a price, and every page says the same', async ({
  page,
}) => {
  const mark = newMark()
  const id = await runPrompt(page, {
    configuration,
    prompt: `${mark} [[usage 1000 200]] [[say: Done.]]`,
  })
  await expectEnd(page, 'Completed')
  await expect(totals(page)).toContainText('unpriced')

  await go(page, '/models?search=unpriced')
  await page
    .getByRole('main')
    .getByRole('link', { name: 'Test model' })
    .filter({ visible: true })
    .first()
    .click()
  await page.waitForURL(/\/models\/[0-9a-f-]{36}$/)
  const add = page.getByRole('button', { name: 'Add price' })
  await whenInteractive(add)
  await add.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Before first run' }).click()
  await dialog.getByLabel(/^Input/).fill('2')
  await dialog.getByLabel(/^Output/).fill('10')
  await dialog.getByRole('button', { name: 'Save price' }).click()
  await expect(dialog.getByText('1 call of 1 run would change')).toBeVisible()
  await expect(dialog).toContainText('$0.004')
  await expectAccessible(page, 'what recomputing would change')
  await dialog.getByRole('button', { name: 'Recompute 1 run' }).click()
  await expect(dialog.getByText('Recomputed 1 run.')).toBeVisible()

  // 1 000 tokens at 2 dollars a million, and 200 at 10.
  await go(page, `/runs/${id}`)
  await expect(totals(page)).toContainText('$0.004')
  await go(page, `/runs?search=${mark}`)
  await expect(page.getByRole('main').getByText('$0.004').filter({ visible: true })).toBeVisible()
  await go(page, '/usage?by=configuration')
  await expect(rowOf(page, configuration)).toContainText('$0.004')
})

test('a run that reaches its cost cap is ended by who watches it', async ({ page }) => {
  await fillPlayground(page, {
    configuration,
    prompt: `${newMark()} [[usage 1000 200]] [[call slow_read {"ms":8000}]] [[then]] [[usage 1000 200]] [[call slow_read {"ms":1}]] [[then]] [[say: The last words.]]`,
  })
  await page.getByLabel('Cost cap (USD)').fill('0.001')
  await pressRun(page)
  const notice = run(page).getByRole('region', { name: 'Cost cap' })
  await expect(notice).toContainText('This run has cost $0.004')
  await notice.getByRole('button', { name: 'Enforce' }).click()
  await expect(notice.getByRole('button', { name: 'Enforce' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expectAccessible(page, 'a cost cap that is reached')
  await expectEnd(page, 'Cost cap')
  await expect(end(page)).toContainText('reached the cap of $0.001')
  await expect(calls(page)).toHaveCount(1)
})

test('a budget refuses what would pass it, says so, and takes its refusal back when it is raised', async ({
  page,
}) => {
  await go(page, '/budgets')
  const add = page.getByRole('main').getByRole('button', { name: 'Add budget' }).first()
  await whenInteractive(add)
  await add.click()
  const dialog = page.getByRole('dialog', { name: 'Add budget' })
  await pick(page, 'For', 'A configuration')
  await pick(page, 'Configuration', configuration)
  await dialog.getByRole('textbox', { name: 'Limit' }).fill('1')
  await pick(page, 'Unit', 'requests')
  await dialog.getByRole('button', { name: 'Add budget' }).click()
  await expect(dialog).toBeHidden()
  const row = rowOf(page, configuration)
  await expect(row).toBeVisible()

  await runPrompt(page, { configuration, prompt: `${newMark()} [[say: Within.]]` })
  await expectEnd(page, 'Completed')
  // The page learns by itself that nothing is left, and says so beside the button.
  const runButton = page.getByRole('button', { name: 'Run', exact: true })
  await expect(runButton).toBeDisabled()
  await expect(runButton).toHaveAccessibleDescription(
    /budget.* used up\. Limit: 1 request, spent: 1 request\. It resets at/,
  )
  await page.getByRole('link', { name: 'Open the budgets' }).click()
  await page.waitForURL('**/budgets')
  await expect(row).toContainText('1 request of 1 request')
  await expectAccessible(page, 'a budget that is full')
  await row.getByRole('link').click()
  await page.waitForURL('**/budgets/*')
  const open = page.getByRole('main').getByRole('button', { name: 'Edit' })
  await whenInteractive(open)
  await open.click()
  const edit = page.getByRole('dialog', { name: /^Edit/ })
  await edit.getByLabel('Limit in requests').fill('1000')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(edit).toBeHidden()
  await runPrompt(page, { configuration, prompt: `${newMark()} [[say: Again.]]` })
  await expectEnd(page, 'Completed')
})

function rowOf(page: Page, name: string) {
  return page.getByRole('main').getByRole('row').filter({ hasText: name })
}

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

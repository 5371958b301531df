import { newMark } from './support/model-requests'
import { calls, end, expectEnd, round, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

test('a run is found again with its figures, and its page shows the same trace', async ({
  page,
}) => {
  const mark = newMark()
  const prompt = `${mark} [[call slow_read {"ms":20,"label":"kept"}]] [[then]] [[say: Kept words.]]`
  const runId = await runPrompt(page, { prompt })
  await expectEnd(page, 'Completed')
  const facts = await end(page).getByRole('listitem').allTextContents()

  await page.getByRole('link', { name: 'Open in Runs' }).click()
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}$`))
  await expectEnd(page, 'Completed')
  expect(await end(page).getByRole('listitem').allTextContents()).toEqual(facts)
  await expect(round(page, 2)).toContainText('Kept words.')
  await expect(calls(page)).toHaveCount(1)
  await expect(page.getByRole('region', { name: 'About this run' })).toContainText('Playground')

  await page.goto('/runs')
  const search = page.getByRole('searchbox', { name: 'Search runs' })
  await whenInteractive(search)
  await search.fill(mark)
  await expect(page).toHaveURL(new RegExp(`search=${mark}`))
  const row = page.getByRole('row').filter({ hasText: mark })
  await expect(row).toHaveCount(1)
  for (const cell of ['Completed', 'Local openai-compatible', 'admin@example.org']) {
    await expect(row).toContainText(cell)
  }
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Round limit' }).click()
  await expect(page.getByRole('main').getByText('No run matches this filter')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page).toHaveURL(/\/runs$/)

  const cost = page.getByRole('columnheader', { name: 'Cost' })
  await cost.getByRole('link').click()
  await expect(page).toHaveURL(/\/runs\?sort=-cost$/)
  await expect(cost).toHaveAttribute('aria-sort', 'descending')
})

test('a run is run again with what it was started with', async ({ page }) => {
  const mark = newMark()
  const first = await runPrompt(page, {
    prompt: `${mark} [[say: Offered: {{offer}}.]]`,
    tools: ['slow_read'],
    maxRounds: 2,
  })
  await expectEnd(page, 'Completed')
  await page.goto(`/runs/${first}`)
  await page.getByRole('link', { name: 'Run again' }).click()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(new RegExp(mark))
  await expect(page.getByLabel('Maximum rounds')).toHaveValue('2')
  await expect(page.getByRole('checkbox', { name: 'slow_read', exact: true })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'list_users', exact: true })).not.toBeChecked()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expectEnd(page, 'Completed')
  await expect(round(page, 1)).toContainText('Offered: slow_read.')
})

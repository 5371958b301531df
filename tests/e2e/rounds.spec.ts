import type { Page } from 'playwright/test'
import { go } from './support/go'
import { modelRequests, newMark } from './support/model-requests'
import {
  calls,
  end,
  expectEnd,
  openToolPicker,
  pressRun,
  readJournal,
  round,
  run,
  runPrompt,
  totals,
} from './support/playground'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

test('several rounds with parallel calls and a large result are shown, found again and run again', async ({
  page,
}) => {
  const mark = newMark()
  const runId = await runPrompt(page, {
    prompt: [
      `${mark} [[say: I look at both sides.]]`,
      '[[call slow_read {"ms":1000,"label":"left side"}]] [[call slow_read {"ms":1000,"label":"right side"}]]',
      '[[call list_users {}]]',
      '[[then]] [[call big_result {"kilobytes":200}]]',
      '[[then]] [[say: Both sides were read.]]',
    ].join(' '),
    tools: ['slow_read', 'big_result'],
    maxRounds: 4,
  })
  await expectEnd(page, 'Completed')
  await expect(round(page, 1)).toContainText('I look at both sides.')
  await expect(round(page, 3)).toContainText('Both sides were read.')
  await expect(calls(page)).toHaveCount(4)
  await expect(calls(page).getByText('Done', { exact: true })).toHaveCount(3)
  await expect(calls(page).filter({ hasText: 'list_users' })).toContainText(
    'Denied: not picked for this run',
  )
  for (const fact of ['3 rounds', '4 calls']) {
    await expect(totals(page).getByText(fact, { exact: true })).toBeVisible()
  }
  await expect(totals(page).getByText(/^\$0\.\d+$/)).toBeVisible()
  await expect(end(page).getByText('Truncated')).toHaveCount(0)
  const first = calls(page).first()
  await first.getByRole('button').first().click()
  await expect(first).toContainText('"label": "left side"')
  await expect(run(page)).not.toContainText('"label": "right side"')

  const large = calls(page).filter({ hasText: 'big_result' })
  await large.getByRole('button').first().click()
  // The same size as in the mark that the model reads.
  await expect(large).toContainText(/Result \(204\s800 bytes\)/)
  await expect(large).not.toContainText('200 lorem')
  await large.getByRole('button', { name: /Load the whole result \(204\s800 bytes\)/ }).click()
  await large.getByRole('button', { name: /Show all \(204\s800 bytes\)/ }).click()
  await expect(large.getByRole('region', { name: 'Raw result' })).toContainText('200 lorem')
  const requests = await modelRequests(mark)
  const result = requests[2]?.results.at(-1) ?? ''
  expect(result).toContain('[truncated: 204800 bytes in all]')
  expect(result.length).toBeLessThan(66_000)
  const journal = JSON.stringify(await readJournal(page.request, runId))
  expect(journal.length).toBeLessThan(150_000)
  await findAgain(page, mark, runId)
  await runAgain(page, mark, runId)
})

/** Checks the page of a run against the trace in the Playground, and finds the run in the list. */
async function findAgain(page: Page, mark: string, runId: string): Promise<void> {
  const facts = await totals(page).getByRole('listitem').allTextContents()
  await page.getByRole('link', { name: 'Open in Runs' }).click()
  await expect(page).toHaveURL(new RegExp(`/runs/${runId}$`))
  await expectEnd(page, 'Completed')
  expect(await totals(page).getByRole('listitem').allTextContents()).toEqual(facts)
  // The title has its first words, which name the tab and stand beside the section.
  await expect(page.getByRole('heading', { level: 1 })).toContainText(mark)
  await expect(page).toHaveTitle(new RegExp(`^${mark} .*… · Runs · Toolgate$`))
  await expect(page.getByRole('banner').getByText(new RegExp(`^${mark} .*…$`))).toBeVisible()
  await expect(round(page, 3)).toContainText('Both sides were read.')
  await expect(calls(page)).toHaveCount(4)
  await expect(page.getByRole('region', { name: 'About this run' })).toContainText('Playground')

  await go(page, '/runs')
  const search = page.getByRole('searchbox', { name: 'Search runs' })
  await whenInteractive(search)
  await search.fill(mark)
  await expect(page).toHaveURL(new RegExp(`search=${mark}`))
  const row = page.getByRole('row').filter({ hasText: mark })
  await expect(row).toHaveCount(1)
  for (const cell of ['Completed · 1 denied', 'Local openai-compatible']) {
    await expect(row).toContainText(cell)
  }
  await expect(row.getByTitle('admin@example.org')).toBeVisible()
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Round limit' }).click()
  await expect(page.getByRole('main').getByText('No run matches this filter')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filter' }).click()
  await expect(page).toHaveURL(/\/runs$/)

  // The dearest run with a failure of the last week, in three presses.
  await page.getByRole('button', { name: 'Any failure' }).click()
  await expect(page).toHaveURL(/\/runs\?failure=any$/)
  await page.getByRole('button', { name: '7 days' }).click()
  await expect(page).toHaveURL(/\/runs\?failure=any&period=7d$/)
  const cost = page.getByRole('columnheader', { name: 'Cost' })
  // The address changes before the list that it is about has arrived.
  const byCost = cost.getByRole('link')
  await expect(byCost).toHaveAttribute('href', /(?=.*failure=any)(?=.*period=7d)/)
  await byCost.click()
  await expect(cost).toHaveAttribute('aria-sort', 'descending')
  const parameters = new URL(page.url()).searchParams
  expect(Object.fromEntries(parameters)).toEqual({ failure: 'any', period: '7d', sort: '-cost' })
  for (const state of await page.getByRole('row').locator('td:nth-child(2)').allTextContents()) {
    expect(state).not.toBe('Completed')
  }

  await page.getByRole('button', { name: 'Filters' }).click()
  const more = page.getByRole('dialog', { name: 'Filters' })
  await more.getByRole('combobox', { name: 'Refusing gate' }).click()
  await page.getByRole('option', { name: 'picked tools' }).click()
  await expect(page).toHaveURL(/gate=selection/)
  await expect(row).toHaveCount(1)
  await page.keyboard.press('Escape')
}

/** Checks that a run is run again with what it was started with. */
async function runAgain(page: Page, mark: string, runId: string): Promise<void> {
  await go(page, `/runs/${runId}`)
  await page.getByRole('link', { name: 'Run again', exact: true }).click()
  const prompt = page.getByRole('textbox', { name: 'Prompt' })
  await expect(prompt).toHaveValue(new RegExp(mark))
  await expect(page.getByLabel('Maximum rounds')).toHaveValue('4')
  await openToolPicker(page)
  await expect(page.getByRole('checkbox', { name: 'slow_read', exact: true })).toBeChecked()
  await expect(page.getByRole('checkbox', { name: 'list_users', exact: true })).not.toBeChecked()
  await prompt.fill(`${mark} [[say: Offered: {{offer}}.]]`)
  await pressRun(page)
  await expectEnd(page, 'Completed')
  await expect(round(page, 1)).toContainText(
    /Offered: (slow_read, big_result|big_result, slow_read)\./,
  )
}

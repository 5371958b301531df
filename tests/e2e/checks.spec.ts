import type { Page } from 'playwright/test'
import { countClicks } from './support/count-clicks'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEnd, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { openTools, resetTool, switchOff } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

const tool = 'list_schedules'

/** Runs a check from its own page and waits for its result: "Passed". */
async function runCheck(page: Page, address: string, result: string): Promise<void> {
  await go(page, address)
  const button = page.getByRole('button', { name: 'Run', exact: true })
  await whenInteractive(button)
  await button.click()
  await page.waitForURL(/\/checks\/runs\/[^/]+$/)
  const facts = page.getByRole('region', { name: 'About this run' })
  await expect(facts.getByText(result, { exact: true })).toBeVisible()
}

test('a run becomes a check, which is red while its tool is off and green again after', async ({
  page,
}) => {
  test.slow()
  const mark = newMark()
  await page.goto('/playground')
  const runId = await runPrompt(page, {
    configuration: 'Local openai',
    tools: [tool],
    prompt: `${mark} [[call ${tool} {}]] [[then]] [[say: All is well.]]`,
  })
  await expectEnd(page, 'Completed')

  await page.goto(`/runs/${runId}`)
  const clicks = await countClicks(page)
  const link = page.getByRole('link', { name: 'Save as check' })
  await whenInteractive(link)
  await link.click()
  await page.waitForURL(/\/check$/)
  const asserted = page.getByRole('list', { name: 'Assertions' })
  await expect(asserted.getByText(`Calls ${tool} at least once`)).toBeVisible()
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await whenInteractive(save)
  await save.click()
  await page.waitForURL(/\/checks\/[^/]+$/)
  expect(await clicks()).toBeLessThanOrEqual(3)
  const check = new URL(page.url()).pathname

  await runCheck(page, check, 'Passed')

  await openTools(page, `?search=${tool}`)
  await switchOff(page, tool)
  await runCheck(page, check, 'Failed')
  await expect(page.getByText('Passed before')).toBeVisible()
  await expect(
    page.getByText(/was not called\. .*switch.* refused it at the start\./i).first(),
  ).toBeVisible()
  await page.getByRole('link', { name: 'Open run', exact: true }).click()
  await page.waitForURL(/\/runs\/[^/]+$/)
  const about = page.getByRole('region', { name: 'About this run' })
  await expect(about.getByRole('link', { name: /^Check / })).toBeVisible()

  await openTools(page, `?search=${tool}`)
  await resetTool(page, tool)
  await runCheck(page, check, 'Passed')

  await go(page, `/checks?search=${mark}`)
  const row = page.getByRole('row').filter({ hasText: mark })
  await expect(row.getByText('Passed', { exact: true })).toBeVisible()
})

import { modelRequests, newMark } from './support/model-requests'
import { expectNoSidewaysScroll } from './support/page-checks'
import { calls, expectEnd, run, stopButton } from './support/playground'
import { expect, test } from './support/test'
import { openTools, toolSwitch } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test('pages are reached through the sheet, none scrolls sideways, groups of tools fold, Run and Stop are in reach; Stop lets go of the provider', async ({
  page,
}) => {
  await page.goto('/playground')
  await expectNoSidewaysScroll(page)
  for (const name of ['Runs', 'Tools', 'Connections', 'Playground']) {
    const open = page.getByRole('button', { name: 'Open navigation' })
    await whenInteractive(open)
    await open.click()
    const sheet = page.getByRole('dialog', { name: 'Toolgate' })
    await sheet.getByRole('link', { name, exact: true }).click()
    await expect(sheet).toHaveCount(0)
    await expect(page).toHaveURL(new RegExp(`/${name.toLowerCase()}`))
    await expect(page.getByRole('heading', { level: 1, name })).toBeAttached()
    await expectNoSidewaysScroll(page)
  }
  const group = page.getByRole('button', { name: 'system', exact: true })
  await page.goto('/tools')
  await expect(group).toHaveAttribute('aria-expanded', 'false')
  await expect(toolSwitch(page, 'fetch_logs')).toBeHidden()
  await openTools(page, '?search=fetch_logs')
  await expect(toolSwitch(page, 'fetch_logs')).toBeInViewport()
  await expect(group).toHaveAttribute('aria-expanded', 'true')
  await group.click()
  await expect(toolSwitch(page, 'fetch_logs')).toBeHidden()
  await expectNoSidewaysScroll(page)

  const mark = newMark()
  await page.goto('/playground')
  const runButton = page.getByRole('button', { name: 'Run', exact: true })
  await whenInteractive(runButton)
  await page.getByRole('button', { name: /Change$/ }).click()
  await page.getByRole('button', { name: /^Configuration: / }).click()
  await page.getByRole('option', { name: /^Local openai-compatible/ }).click()
  await page.getByRole('button', { name: /Close$/ }).click()
  await page
    .getByRole('textbox', { name: 'Prompt' })
    .fill(`${mark} [[say slowly 50ms: ${'many words to read '.repeat(200)}]]`)
  await expect(runButton).toBeInViewport()
  await runButton.click()
  await expect(run(page)).toContainText('many words to read')
  await expect(stopButton(page)).toBeInViewport()
  await stopButton(page).click()
  await expectEnd(page, 'Stopped')
  await expect(run(page)).toContainText('many words to read')
  await expect(calls(page)).toHaveCount(0)
  await expectNoSidewaysScroll(page)
  await expect.poll(async () => (await modelRequests(mark))[0]?.aborted).toBe(true)
})

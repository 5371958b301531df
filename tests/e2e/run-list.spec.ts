import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEveryLook } from './support/page-checks'
import { expectEnd, fillPlayground, pressRun, runPrompt } from './support/playground'
import { readSite } from './support/site'
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

test('the members of a panel are one row, which opens by keyboard and on a phone, and a filter says which it found', async ({
  page,
}) => {
  const mark = newMark()
  await runPrompt(page, { prompt: `${mark} [[say: Alone.]]`, tools: [] })
  await expectEnd(page, 'Completed')
  const configurations = ['local-openai-compatible', 'local-anthropic']
  const data = { prompt: `${mark} [[say: Together.]]`, configurations }
  const headers = { authorization: `Bearer ${readSite().adminKey}` }
  const started = await page.request.post('/api/v1/panels', { data, headers })
  const { panelId } = await started.json()
  await go(page, `/runs?search=${mark}`)
  const rows = page.getByRole('row').filter({ hasText: mark })
  await expect(rows).toHaveCount(2)
  const panel = rows.filter({ hasText: '2 members' })
  await expect(panel.getByText('Completed')).toBeVisible()
  const members = panel.getByRole('button', { name: /^2 members of / })
  await whenInteractive(members)
  await members.press('Enter')
  for (const name of ['Local openai-compatible', 'Local anthropic'])
    await expect(page.getByRole('row').getByRole('link', { name, exact: true })).toBeVisible()
  await expectEveryLook(page, 'the list of runs with an open panel')

  const { configurationId } = await listed(page, panelId)
  await go(page, `/runs?search=${mark}&configuration=${configurationId}`)
  await expect(page.getByRole('row').filter({ hasText: 'Found: Local anthropic' })).toHaveCount(1)
  await page.setViewportSize({ width: 390, height: 844 })
  const card = page.getByRole('article').filter({ hasText: '2 members' })
  await card.getByRole('button', { name: /^2 members of / }).click()
  await expect(page.getByRole('article')).toHaveCount(3)
  await expectEveryLook(page, 'the list of runs with what a filter found of a panel')
  await page
    .getByRole('row')
    .getByRole('link', { name: new RegExp(mark) })
    .click()
  await expect(page).toHaveURL(new RegExp(panelId))
})

/** Returns the second member of a panel. */
async function listed(page: Page, panelId: string): Promise<{ configurationId: string }> {
  const headers = { authorization: `Bearer ${readSite().adminKey}` }
  const answer = await page.request.get(`/api/v1/panels/${panelId}`, { headers })
  return (await answer.json()).members[1]
}

test('a start whose page is left by a link runs, and one that was never sent says so on the next page', async ({
  visit,
}) => {
  const page = await visit('admin', {})
  const mark = newMark()
  await fillPlayground(page, { prompt: `${mark} [[say: Here.]]` })
  let leave = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  await page.route('**/playground*', async (route) => {
    if (route.request().postData()?.includes(mark)) await left
    await route.continue()
  })
  await pressRun(page)
  await page.getByRole('link', { name: 'Runs', exact: true }).click()
  await page.waitForURL(/\/runs$/)
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveCount(0)
  leave()
  await expect(page.getByText('Your run started', { exact: true })).toBeVisible()
  await page.unrouteAll()
  await expect(page).toHaveURL(/\/runs$/)
  await expect(page.getByRole('row').filter({ hasText: mark })).toHaveCount(1)

  const lost = newMark()
  await fillPlayground(page, { prompt: `${lost} [[say: Never.]]` })
  // The request hangs, as on a line that is just going down.
  await page.route('**/playground*', (route) =>
    route.request().postData()?.includes(lost) ? undefined : route.continue(),
  )
  const sent = page.waitForRequest((request) => Boolean(request.postData()?.includes(lost)))
  await pressRun(page)
  await sent
  await page.goto('/runs')
  const notice = page.getByRole('listitem').filter({ hasText: 'A run did not start' })
  await expect(notice).toContainText(`You left before it was sent: “${lost}`)
  await page.getByRole('button', { name: 'Open the Playground' }).click()
  await expect(page.getByRole('textbox', { name: 'Prompt' })).toHaveValue(new RegExp(lost))
})

import { expect, type Locator, type Page } from 'playwright/test'
import { go } from './go'
import { expectAccessible } from './page-checks'
import { calls, expectEnd, run, runPrompt } from './playground'
import { accounts } from './site'
import { whenInteractive } from './when-interactive'

/** Adds a rule about append_line's text and returns which past runs it says it would have changed. */
async function addRule(page: Page, name: string, text: string): Promise<string> {
  await go(page, '/approvals/rules/new')
  const add = page.getByRole('button', { name: 'Add rule', exact: true })
  await whenInteractive(add)
  await add.click()
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByRole('combobox', { name: 'Tool', exact: true }).click()
  await page.getByPlaceholder('Search tools').fill('append_line')
  await page.getByRole('option', { name: /append_line/ }).click()
  await page.getByRole('button', { name: 'Add condition' }).click()
  await page.getByLabel('Path').fill('$.text')
  await page.getByRole('combobox', { name: 'Comparison' }).click()
  await page.getByRole('option', { name: 'starts with' }).click()
  await page.getByLabel('Value').fill(text)
  await page.getByRole('button', { name: 'Test' }).click()
  const answer = page.getByText(/would have gone otherwise\.$/)
  await expect(answer).toBeVisible()
  const words = (await answer.textContent()) ?? ''
  await expectAccessible(page, 'rule')
  await add.click()
  await expect(page).toHaveURL(/\/approvals\/rules$/)
  await expect(page.getByRole('switch', { name, checked: true })).toBeVisible()
  return words
}

/** Returns the call in the inbox with this argument. The prompt beside it names the other arguments, too. */
function waitingCall(page: Page, text: string): Locator {
  const argument = page.getByText(text, { exact: true })
  return page.getByRole('main').getByRole('article').filter({ has: argument })
}

/**
 * Adds a rule in the page that becomes the inbox, and starts a run whose three calls wait because of it; their texts
 * begin with `mark`.
 */
export async function waitForApproval(trace: Page, inbox: Page, mark: string): Promise<void> {
  await runPrompt(trace, { prompt: `[[call append_line {"text":"${mark} past"}]]` })
  await expectEnd(trace, 'Completed')
  expect(await addRule(inbox, 'Lines', mark)).toMatch(
    /^1 of \d+ runs? of the last 30 days would have gone otherwise/,
  )
  const requested = ['first', 'second', 'third'].map(
    (word) => `[[call append_line {"text":"${mark} ${word}"}]]`,
  )
  await runPrompt(trace, { prompt: `${requested.join(' ')} [[then]] [[say: It said {{results}}]]` })
  await expect(calls(trace).getByText('Waiting for approval', { exact: true })).toHaveCount(3)
  await expect(run(trace).getByText('Waiting', { exact: true })).toBeVisible()
  await expectAccessible(trace, 'trace that waits')
}

/** Decides the first two calls in the inbox: one with other arguments, one against, one decision too late. */
export async function decideInInbox(inbox: Page, mark: string): Promise<void> {
  await go(inbox, '/approvals')
  await expect(
    inbox.getByRole('link', { name: 'Approvals 3 calls waiting for approval' }),
  ).toBeVisible()
  const late = await inbox.context().newPage()
  // Hears of nothing by itself, so that it comes too late for sure.
  await late.route('**/api/approvals/pending', (request) => request.abort())
  await late.goto('/approvals')
  await expect(waitingCall(late, `${mark} second`)).toBeVisible()

  const first = waitingCall(inbox, `${mark} first`)
  await whenInteractive(first.getByRole('button', { name: 'Edit arguments of append_line' }))
  await first.getByRole('button', { name: 'Edit arguments of append_line' }).click()
  await first.getByRole('tab', { name: 'JSON' }).click()
  const field = first.getByLabel('Arguments as JSON')
  await field.fill('{"text":""}')
  await first.getByRole('button', { name: 'Approve with these arguments' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveValue('{"text":""}')
  await expectAccessible(inbox, 'inbox, refused arguments')
  await field.fill(`{"text":"${mark} edited"}`)
  await first.getByRole('button', { name: 'Approve with these arguments' }).click()
  await expect(first).toHaveCount(0)
  await expect(inbox.getByText('Edited and approved append_line', { exact: true })).toBeVisible()

  const second = waitingCall(inbox, `${mark} second`)
  await second.getByRole('button', { name: 'Deny append_line' }).click()
  await second.getByLabel(/^Message to the model/).fill('Not that one.')
  await second.getByRole('button', { name: 'Deny append_line' }).click()
  await expect(second).toHaveCount(0)

  const overtaken = waitingCall(late, `${mark} second`)
  await overtaken.getByRole('button', { name: 'Approve append_line' }).click()
  await expect(
    late.getByText('Your decision about append_line came too late', { exact: true }),
  ).toBeVisible()
  await expect(
    late.getByText(`${accounts.admin.email} denied it first.`, {
      exact: true,
    }),
  ).toBeVisible()
  await expect(overtaken).toHaveCount(0)
  await late.close()
}

/** Approves the third call in the trace, with a note, and checks what the run and the list of decisions say then. */
export async function decideInTrace(trace: Page, inbox: Page, mark: string): Promise<void> {
  const third = calls(trace).filter({ hasText: `${mark} third` })
  await third.getByRole('button', { name: 'Add a note about append_line' }).click()
  await third.getByLabel('Note').fill('As agreed.')
  await third.getByRole('button', { name: 'Approve append_line' }).click()
  await expectEnd(trace, 'Completed')
  await expect(run(trace)).toContainText(`Edited and approved by ${accounts.admin.email}`)
  await expect(run(trace)).toContainText(`Denied by ${accounts.admin.email}: Not that one.`)
  const said = run(trace).getByRole('region', { name: 'Round 2', exact: true })
  await expect(said).toContainText('Not that one.')
  await expect(said).toContainText(`${mark} edited`)
  await go(inbox, '/approvals/decided')
  await expect(inbox.getByRole('table').getByText('As agreed.', { exact: true })).toBeVisible()
  await expect(inbox.getByRole('table').getByText('Edited and approved')).toHaveCount(1)
  const pages = inbox.getByRole('navigation', { name: 'Pages' })
  await expect(pages.getByRole('link', { name: 'Approvals', exact: true })).toBeVisible()
}

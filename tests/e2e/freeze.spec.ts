import type { Locator, Page } from '@playwright/test'
import { type StandaloneServer, startStandaloneServer } from '../support/standalone-server'
import { end, expectEnd, round, runPrompt } from './support/playground'
import { sendSignIn } from './support/sign-in'
import { accounts, readSite } from './support/site'
import { expect, test } from './support/test'
import { openTools } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

// What is switched here concerns the whole site: a server of its own, on its own copy of the database.
let server: StandaloneServer

test.beforeAll(async () => {
  const { env, frozen, port } = readSite()
  server = await startStandaloneServer(port + 5, { ...env, DATABASE_URL: frozen.databaseUrl })
})

test.afterAll(() => server.stop('SIGKILL'))

type Visit = (who: 'stranger', options: { baseURL: string }) => Promise<Page>

async function openSignedIn(visit: Visit, who: 'admin' | 'member'): Promise<Page> {
  const page = await visit('stranger', { baseURL: server.baseUrl })
  await page.goto('/sign-in')
  await sendSignIn(page, accounts[who])
  await expect(page).toHaveURL(/\/playground$/)
  return page
}

function freezeBar(page: Page): Locator {
  return page.getByRole('region', { name: 'Site freeze' })
}

test('a freeze ends the runs, shows on every page and refuses new runs, until it is lifted', async ({
  visit,
}) => {
  const running = await openSignedIn(visit, 'admin')
  const member = await openSignedIn(visit, 'member')
  await runPrompt(running, { prompt: `[[say slowly 100ms: ${'on and '.repeat(300)}on]]` })
  await expect(round(running, 1)).toContainText('on and')

  const page = await running.context().newPage()
  await openTools(page)
  const freeze = page.getByRole('button', { name: 'Freeze', exact: true })
  await whenInteractive(freeze)
  await freeze.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Freeze this site' }).click()
  await expect(dialog.getByText('Enter a reason. Everybody will see it.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('A <b>leak</b>')
  await dialog.getByRole('button', { name: 'Freeze this site' }).click()
  await expect(freezeBar(page)).toContainText(accounts.admin.email)
  await expect(freezeBar(page)).toContainText('“A <b>leak</b>”')

  await expectEnd(running, 'Frozen')
  await expect(end(running)).toContainText(`${accounts.admin.email}: A <b>leak</b>.`)
  await expect(freezeBar(running)).toBeVisible()

  await expect(member.getByRole('button', { name: 'Freeze', exact: true })).toHaveCount(0)
  await expectRunDisabled(member)
  await expect(freezeBar(member)).toBeVisible()
  await expect(freezeBar(member).getByRole('button')).toHaveCount(0)

  await freezeBar(page).getByRole('button', { name: 'Unfreeze' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unfreeze this site' }).click()
  await expect(freezeBar(page)).toHaveCount(0)
  await runPrompt(member, { prompt: '[[say: Going again.]]' })
  await expectEnd(member, 'Completed')
  await expect(freezeBar(member)).toHaveCount(0)
})

/** Checks that a page that was open before the freeze switches Run off, with the reason beside it. */
async function expectRunDisabled(page: Page): Promise<void> {
  await page.bringToFront()
  const runButton = page.getByRole('button', { name: 'Run', exact: true })
  await expect(runButton).toBeDisabled({ timeout: 20_000 })
  await expect(runButton).toHaveAccessibleDescription(
    new RegExp(`${accounts.admin.email} froze this site at .*A <b>leak</b>`),
  )
}

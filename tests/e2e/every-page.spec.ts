import type { Page } from 'playwright/test'
import { placesFor } from '@/components/shell/destinations'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible, expectEveryLook, expectInert } from './support/page-checks'
import { expectEnd, runPrompt } from './support/playground'
import { hostileName, readSite } from './support/site'
import { expect, test } from './support/test'
import { openTools } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

// The site has a person, a configuration and more with hostile names, and one of everything named by one long word.

/** Pages that no other page in this file shows. */
const unnamed = [
  '/connect?provider=other',
  '/approvals/decided',
  '/approvals/rules/new',
  '/configurations/new',
]

/** These are looked at in every state. */
const worked = ['/playground', '/runs', '/tools']

/** Opens a page and checks it in every look; what stands around all pages is looked at with the Playground. */
async function look(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  await expectEveryLook(page, address, 'content')
  await expectInert(page.getByRole('main'), address)
}

test('every page by its name: nothing serious, nothing sideways, nothing that is more than text', async ({
  page,
}) => {
  // Every page, in each look.
  test.slow()
  const named = placesFor('admin').map(({ href }) => href)
  for (const address of [...named, ...unnamed]) {
    if (!worked.includes(address)) await test.step(address, () => look(page, address))
  }
})

test('every page of one thing, whose name is one long word: the same', async ({ page }) => {
  test.slow()
  for (const address of readSite().wide) await test.step(address, () => look(page, address))
})

test('pages that are worked with, and those of strangers: the same in their states', async ({
  page,
  visit,
  browser,
}) => {
  test.slow()
  const stranger = await visit('stranger')
  await stranger.goto('/sign-in')
  await expectEveryLook(stranger, 'sign-in')
  await stranger.goto('/setup')
  await expectEveryLook(stranger, 'set-up, used')

  await page.goto('/playground')
  await expect(page.getByRole('region', { name: 'Start here' })).toBeVisible()
  await expectEveryLook(page, 'playground')
  await page.goto('/playground?task=wide')
  await expect(page.getByRole('form', { name: /^Task W/ })).toBeVisible()
  await expectEveryLook(page, 'playground with a task')
  await go(page, '/runs?search=nothing-has-this-name')
  await expect(page.getByRole('main').getByText('No run matches this filter')).toBeVisible()
  await expectEveryLook(page, 'runs, none found')
  await openTools(page)
  await expectEveryLook(page, 'tools')
  await page.getByRole('button', { name: 'More for get_env_raw' }).first().click()
  await expectAccessible(page, 'tools, menu')
  await page.getByRole('menuitem', { name: /with a reason/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectEveryLook(page, 'tools, dialog')

  await test.step('hostile names are text wherever they stand', async () => {
    const mark = newMark()
    const prompt = `${mark} <img src=x onerror="window.__pwned='prompt'"> \u202Eevil\u202C [[say: Done.]]`
    const runId = await runPrompt(page, { configuration: hostileName, prompt })
    await expectEnd(page, 'Completed')
    await expectInert(page.getByRole('main'), 'Playground')
    await go(page, `/runs?search=${mark}`)
    await expect(page.getByRole('table')).toContainText(hostileName)
    await expect(page.getByRole('table')).toContainText('U+202E')
    await expectInert(page.getByRole('main'), 'runs')
    await go(page, `/runs/${runId}`)
    await expectInert(page.getByRole('main'), 'run')
    await go(page, `/runs/${runId}/compare?with=${runId}`)
    await expect(page).toHaveTitle(/Compare/)
    await expectEveryLook(page, 'two runs side by side')
    await expectInert(page.getByRole('main'), 'two runs side by side')
    await go(page, '/connections?search=Local+openai')
    await page.getByRole('main').getByRole('link', { name: 'Local openai', exact: true }).click()
    // The list has a switch of this name, too.
    await expect(page.getByRole('heading', { level: 1, name: 'Local openai' })).toBeVisible()
    const off = page.getByRole('switch', { name: 'Local openai', exact: true })
    await whenInteractive(off)
    await expectInert(page.getByRole('main'), 'connection')
    await off.click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(/These configurations can no longer run: .*U\+202E/)
    await expectInert(dialog, 'connection, dialog')
  })

  await test.step('the policy stops what would slip through', async () => {
    // Unwatched: the browser complains, as it should.
    const storageState = { cookies: [], origins: [] }
    const context = await browser.newContext({ storageState })
    const unwatched = await context.newPage()
    await unwatched.goto('/sign-in')
    const refused = await unwatched.evaluate(
      () =>
        new Promise<string>((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => {
            resolve(event.effectiveDirective)
          })
          const image = document.createElement('img')
          image.setAttribute('onerror', 'window.__pwned = "policy"')
          image.src = 'data:,'
          document.body.append(image)
        }),
    )
    expect(refused).toBe('script-src-attr')
    await context.close()
  })
})

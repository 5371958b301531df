import type { Page } from '@playwright/test'
import { expectAccessible } from './support/expect-accessible'
import { expectNoSidewaysScroll } from './support/expect-no-sideways-scroll'
import { newMark } from './support/model-requests'
import { calls, expectEnd, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { openTools } from './support/tools-page'
import { visitPages } from './support/visit-pages'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Both colour schemes and both widths, each once: a scheme decides contrast, a width the order of things. */
const looks = [
  { name: 'light, desktop', colorScheme: 'light', viewport: desktop },
  { name: 'dark, phone', colorScheme: 'dark', viewport: phone },
] as const

// The first two tests look at these in every state.
const seen = ['/playground', '/runs', '/tools']

/** Looks at the page as it is, without loading it anew for each look. */
async function expectEveryLook(page: Page, what: string): Promise<void> {
  for (const { name, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    await expectNoSidewaysScroll(page, `${what}, ${name}`)
    await expectAccessible(page, `${what}, ${name}`)
  }
  await page.setViewportSize(desktop)
}

test('nothing serious on pages that are worked with', async ({ page, visit }) => {
  const stranger = await visit('stranger')
  await stranger.goto('/sign-in')
  await expectEveryLook(stranger, 'sign-in')
  await stranger.goto('/setup')
  await expectEveryLook(stranger, 'set-up, used')

  await page.goto('/playground')
  await expect(page.getByRole('region', { name: 'Start here' })).toBeVisible()
  await expectEveryLook(page, 'playground')
  await page.goto('/runs?search=nothing-has-this-name')
  await expect(page.getByRole('main').getByText('No run matches this filter')).toBeVisible()
  await expectEveryLook(page, 'runs, none found')
  await openTools(page)
  await expectEveryLook(page, 'tools')
  await page.getByRole('button', { name: 'More for get_env_raw' }).first().click()
  await expectAccessible(page, 'tools, menu')
  await page.getByRole('menuitem', { name: /with a reason/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectEveryLook(page, 'tools, dialog')
})

test('nothing serious on a run, in every state', async ({ page }) => {
  const mark = newMark()
  const runId = await startFullRun(page, mark)
  await expect(calls(page).getByText('Running', { exact: true })).toBeVisible()
  await expectEveryLook(page, 'playground, running')
  await expect(calls(page).getByText('Running', { exact: true })).toBeVisible()
  await expectEnd(page, 'Completed')
  for (const call of await calls(page).all()) await call.getByRole('button').first().click()
  await expectEveryLook(page, 'playground, finished')
  await page.goto(`/runs?search=${mark}`)
  await expect(page.getByRole('status').filter({ hasText: /^1 run$/ })).toBeVisible()
  await expectEveryLook(page, 'runs')
  await page.goto(`/runs/${runId}`)
  await expectEnd(page, 'Completed')
  await expectEveryLook(page, 'run')
})

test('nothing serious on any other page', async ({ page }) => {
  // Every page, twice each.
  test.slow()
  await visitPages(page, seen, (what) => expectEveryLook(page, what))
})

async function startFullRun(page: Page, mark: string): Promise<string> {
  return runPrompt(page, {
    prompt: [
      `${mark} [[reason: Thinking first.]] [[call hostile_text {}]] [[call no_such_tool {}]] [[call slow_read {"ms":-1}]]`,
      '[[call big_result {"kilobytes":80,"shape":"array"}]]',
      '[[then]] [[call slow_read {"ms":15000,"label":"look at me"}]]',
      '[[then]] [[say: # Title\n\n- one\n- [two](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```]]',
    ].join(' '),
  })
}

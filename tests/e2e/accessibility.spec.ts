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

for (const { name, colorScheme, viewport } of looks) {
  test(`nothing serious on any page: ${name}`, async ({ visit }) => {
    const stranger = await visit('stranger', { colorScheme, viewport })
    await stranger.goto('/sign-in')
    await expectAccessible(stranger, 'sign-in')
    await stranger.goto('/setup')
    await expectAccessible(stranger, 'set-up, used')

    const page = await visit('admin', { colorScheme, viewport })
    await page.goto('/playground')
    await expect(page.getByRole('region', { name: 'Start here' })).toBeVisible()
    await expectAccessible(page, 'playground')
    await page.goto('/runs?search=nothing-has-this-name')
    await expect(page.getByRole('main').getByText('No run fits this filter')).toBeVisible()
    await expectAccessible(page, 'runs, none found')
    await openTools(page)
    await expectAccessible(page, 'tools')
    await page.getByRole('button', { name: 'More for get_env_raw' }).first().click()
    await expectAccessible(page, 'tools, menu')
    await page.getByRole('menuitem', { name: /with a reason/ }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessible(page, 'tools, dialog')
  })

  test(`nothing serious on a run, in every state: ${name}`, async ({ visit }) => {
    const page = await visit('admin', { colorScheme, viewport })
    const mark = newMark()
    const runId = await startFullRun(page, mark, viewport === phone)
    await expect(calls(page).getByText('Running', { exact: true })).toBeVisible()
    await expectAccessible(page, 'playground, running')
    await expectEnd(page, 'Completed')
    for (const call of await calls(page).all()) await call.getByRole('button').first().click()
    await expectAccessible(page, 'playground, finished')
    await page.goto(`/runs?search=${mark}`)
    await expect(page.getByRole('status').filter({ hasText: /^1 run$/ })).toBeVisible()
    await expectAccessible(page, 'runs')
    await page.goto(`/runs/${runId}`)
    await expectEnd(page, 'Completed')
    await expectAccessible(page, 'run')
  })
}

test('nothing serious on any other page, and none scrolls sideways', async ({ page }) => {
  // Every page, twice each.
  test.slow()
  await visitPages(page, seen, async (what) => {
    for (const { name, colorScheme, viewport } of looks) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await expectNoSidewaysScroll(page, `${what}, ${name}`)
      await expectAccessible(page, `${what}, ${name}`)
    }
  })
})

async function startFullRun(page: Page, mark: string, onPhone: boolean): Promise<string> {
  if (onPhone) {
    // The form is folded away on a phone: it is filled in on a wide screen.
    await page.setViewportSize(desktop)
  }
  const runId = await runPrompt(page, {
    prompt: [
      `${mark} [[reason: Thinking first.]] [[call hostile_text {}]] [[call no_such_tool {}]] [[call slow_read {"ms":-1}]]`,
      '[[call big_result {"kilobytes":80,"shape":"array"}]]',
      '[[then]] [[call slow_read {"ms":4000,"label":"look at me"}]]',
      '[[then]] [[say: # Title\n\n- one\n- [two](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```]]',
    ].join(' '),
  })
  if (onPhone) await page.setViewportSize(phone)
  return runId
}

import type { Page } from '@playwright/test'
import { expectAccessible } from './support/expect-accessible'
import { expectNoSidewaysScroll } from './support/expect-no-sideways-scroll'
import { newMark } from './support/model-requests'
import { calls, expectEnd, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { openTools } from './support/tools-page'
import { visitPages } from './support/visit-pages'

const widths = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [name, viewport] of Object.entries(widths)) {
    test(`nothing serious on any page: ${colorScheme}, ${name}`, async ({ visit }) => {
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

    test(`nothing serious on a run, in every state: ${colorScheme}, ${name}`, async ({ visit }) => {
      const page = await visit('admin', { colorScheme, viewport })
      const mark = newMark()
      const runId = await startFullRun(page, mark, name === 'phone')
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
}

// The tests above look at these in every state.
const seen = ['/playground', '/runs', '/tools']

test('nothing serious on any other page: light, desktop', async ({ visit }) => {
  const page = await visit('admin', { colorScheme: 'light', viewport: widths.desktop })
  await visitPages(page, seen, (what) => expectAccessible(page, what))
})

test('nothing serious on any other page, and none scrolls sideways: dark, phone', async ({
  visit,
}) => {
  const page = await visit('admin', { colorScheme: 'dark', viewport: widths.phone })
  await visitPages(page, seen, async (what) => {
    await expectNoSidewaysScroll(page, what)
    await expectAccessible(page, what)
  })
})

async function startFullRun(page: Page, mark: string, phone: boolean): Promise<string> {
  if (phone) {
    // The form is folded away on a phone: it is filled in on a wide screen.
    await page.setViewportSize(widths.desktop)
  }
  const runId = await runPrompt(page, {
    prompt: [
      `${mark} [[reason: Thinking first.]] [[call hostile_text {}]] [[call no_such_tool {}]] [[call slow_read {"ms":-1}]]`,
      '[[call big_result {"kilobytes":80,"shape":"array"}]]',
      '[[then]] [[call slow_read {"ms":4000,"label":"look at me"}]]',
      '[[then]] [[say: # Title\n\n- one\n- [two](https://example.org)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```]]',
    ].join(' '),
  })
  if (phone) await page.setViewportSize(widths.phone)
  return runId
}

import type { Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEveryLook, expectNoSidewaysScroll } from './support/page-checks'
import { calls, expectEnd, round, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'
import { watchShifts } from './support/watch-shifts'

const timeline = (page: Page) => run(page).getByRole('navigation', { name: 'Timeline' })

/** Expects that no link of the timeline paints over the bars of another one, and that one is current. */
async function expectBarsInView(page: Page): Promise<void> {
  const bars = timeline(page).getByRole('link')
  await expect(bars).toHaveCount(4)
  await bars.nth(3).focus()
  await page.keyboard.press('Enter')
  await expect(timeline(page).locator('[aria-current=true]').first()).toBeAttached()
  const covered = await bars.evaluateAll((links) => {
    const overlaps = (one: DOMRect, other: DOMRect) =>
      Math.min(one.right, other.right) > Math.max(one.left, other.left) &&
      Math.min(one.bottom, other.bottom) > Math.max(one.top, other.top)
    const isPainted = (link: Element) =>
      getComputedStyle(link).backgroundColor !== 'rgba(0, 0, 0, 0)'
    return links.flatMap((link) => {
      const own = [...link.querySelectorAll('[style*=clip-path]')].map((bar) =>
        bar.getBoundingClientRect(),
      )
      const cover = links.find(
        (each) =>
          each !== link &&
          isPainted(each) &&
          own.some((bar) => overlaps(bar, each.getBoundingClientRect())),
      )
      const isThere = own.length > 0 && own.every(({ width, height }) => width > 0 && height > 0)
      return isThere && !cover ? [] : [link.getAttribute('aria-label')]
    })
  })
  expect(covered).toEqual([])
}

test('the picture of a run grows without moving the text, and leads to its rounds and calls, by keyboard too', async ({
  page,
}) => {
  const runId = await runPrompt(page, {
    prompt: [
      `${newMark()} [[call slow_read {"ms":1500,"label":"left"}]] [[call slow_read {"ms":1200,"label":"right"}]]`,
      `[[then]] [[say slowly 40ms: ${'many words to read '.repeat(20)}]]`,
    ].join(' '),
    tools: ['slow_read'],
  })
  await page.goto(`/runs/${runId}`)
  const shifts = await watchShifts(page)
  await expectEnd(page, 'Completed')
  expect(await shifts()).toBeLessThanOrEqual(0.02)

  const bars = timeline(page).getByRole('link')
  await expect(bars).toHaveCount(4)
  await expect(bars.nth(1)).toHaveAccessibleName(/^slow_read, done, 1\.\d+ s, from /)
  await expect(bars.nth(3)).toHaveAccessibleName(/^Round 2, .* first token after /)

  // Beside the trace, not over it.
  const [picture, text] = await Promise.all([
    timeline(page).boundingBox(),
    round(page, 1).boundingBox(),
  ])
  expect(picture?.x).toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0))

  await bars.nth(2).click()
  const second = calls(page).nth(1)
  await expect(second.getByRole('button').first()).toHaveAttribute('aria-expanded', 'true')
  await expect(second.getByRole('button').first()).toBeFocused()
  await expect(second).toBeInViewport()
  await expect(page).toHaveURL(/#call-/)
  await expect(bars.nth(2)).toHaveAttribute('aria-current', 'true')

  await bars.nth(0).focus()
  await page.keyboard.press('End')
  await expect(bars.nth(3)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(round(page, 2).getByRole('heading', { name: 'Round 2' })).toBeFocused()
  await expect(round(page, 2)).toBeInViewport()
  await expectEveryLook(page, 'run with its picture')

  await test.step('what the model saw is shown as it was sent', async () => {
    await round(page, 1).getByText('What the model saw').first().click()
    const request = round(page, 1).getByRole('region', { name: 'Request of round 1', exact: true })
    await expect(request).toContainText('"stream": true')
    await request.getByRole('button', { name: 'curl' }).click()
    await expect(request).toContainText('"$API_KEY"')
    await expectEveryLook(page, 'run with a request')
  })

  await test.step('on a phone it is a strip above the text', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await go(page, `/runs/${runId}`)
    await expectNoSidewaysScroll(page)
    await expectBarsInView(page)
    const strip = await timeline(page).boundingBox()
    const first = await round(page, 1).boundingBox()
    expect(strip?.height).toBeLessThan(120)
    expect((strip?.y ?? 0) + (strip?.height ?? 0)).toBeLessThanOrEqual(first?.y ?? 0)
    await timeline(page).getByRole('link').nth(0).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect(calls(page).first().getByRole('button').first()).toBeFocused()
  })

  await test.step('in the Playground, all bars are in view at any width', async () => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await go(page, `/playground?run=${runId}`)
      await expectBarsInView(page)
    }
  })
})

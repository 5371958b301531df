import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

/** Fails when axe finds anything serious or critical on the page as it is; `what` names it in the failure. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.evaluate(untilNothingPasses)
  // The same document may be looked at more than once. Our pages have no frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(findGrave)
  expect(found.map((violation) => ({ what, ...violation }))).toEqual([])
}

/**
 * Colours of things that are just appearing would be measured half-way; what turns for ever is not waited for. A change
 * of the colour scheme begins with the next frame, and what inherits a colour that passes begins again when it is there.
 */
async function untilNothingPasses() {
  const frame = () => new Promise((painted) => requestAnimationFrame(painted))
  const passing = () =>
    document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
      .map((animation) => animation.finished.catch(() => null))
  do {
    await Promise.all(passing())
    await frame()
    await frame()
  } while (passing().length > 0)
}

/** Runs in the page; only what is grave comes out of it. */
async function findGrave() {
  const run = (window as unknown as { axe: typeof axe }).axe.run
  const { violations } = await run(document, { resultTypes: ['violations'] })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({
      id,
      where: nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`),
    }))
}

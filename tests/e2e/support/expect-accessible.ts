import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Fails when axe finds anything serious or critical on the page as it is; `what` names it in the failure. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  // Colours of things that are just appearing would be measured half-way; what turns for ever is not waited for.
  await page.evaluate(() => {
    const passing = document
      .getAnimations()
      .filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
    return Promise.all(passing.map((animation) => animation.finished.catch(() => null)))
  })
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    // Every page is one frame: no need to open another page to put the findings of several together.
    .setLegacyMode()
    .analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  const found = grave.map(({ id, nodes }) => ({
    what,
    id,
    where: nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`),
  }))
  expect(found).toEqual([])
}

import { expect, type Page } from '@playwright/test'

/** Fails when the page is wider than the window was asked to be; `what` names it in the failure. */
export async function expectNoSidewaysScroll(page: Page, what?: string): Promise<void> {
  // A phone's own window grows with what is too wide for it.
  const width = page.viewportSize()?.width ?? 0
  const needed = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(needed, what).toBeLessThanOrEqual(width)
}

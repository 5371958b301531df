import type { Page } from 'playwright/test'

/** Counts the clicks on a page from now on, until it is loaded anew. */
export async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { clicks: 0 })
    window.addEventListener('click', () => Object(window).clicks++, true)
  })
  return () => page.evaluate(() => Number(Object(window).clicks))
}

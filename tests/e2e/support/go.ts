import { expect, type Page } from 'playwright/test'

type FrameworkWindow = { next: { router: { push: (address: string) => void } } }

/**
 * Goes to another page of the console as a link does, which costs less than half of loading it. Loads it where the page
 * shows nothing of the site yet, or this place already: what was typed is gone then.
 */
export async function go(page: Page, address: string): Promise<void> {
  const here = page.url()
  if (here === 'about:blank' || new URL(address, here).pathname === new URL(here).pathname) {
    await page.goto(address)
    return
  }
  await whenRouterListens(page)
  await page.evaluate((to) => (window as unknown as FrameworkWindow).next.router.push(to), address)
  await page.waitForURL(new URL(address, here).href)
}

/**
 * Waits until the router has rendered the page and takes orders. It is there earlier: what it is told while the page
 * hydrates breaks the hydration, or is refused.
 */
async function whenRouterListens(page: Page): Promise<void> {
  // An effect of the router's first render adds this element.
  await expect(page.locator('next-route-announcer')).toBeAttached()
}

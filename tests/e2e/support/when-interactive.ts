import { expect, type Locator } from 'playwright/test'

/** Waits until React listens to this element: before, a click would be the browser's own. */
export async function whenInteractive(element: Locator): Promise<void> {
  await expect
    .poll(() =>
      element.evaluate((node) => Object.keys(node).some((key) => key.startsWith('__reactProps'))),
    )
    .toBe(true)
}

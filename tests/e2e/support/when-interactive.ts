import { expect, type Locator } from 'playwright/test'

/** Waits until React listens to this element: before, a click would be the browser's own. */
export async function whenInteractive(element: Locator): Promise<void> {
  await expect.poll(() => element.evaluate(isCommitted)).toBe(true)
}

type Fiber = { alternate: Fiber | null; return: Fiber | null; flags: number }

/**
 * Runs in the page. React ties an element to its component while it renders, but sends it events only when that render
 * was committed. Asks as React itself does (`getNearestMountedFiber`): nothing around it is yet to be placed (2) or
 * hydrated (4096).
 */
function isCommitted(node: Element): boolean {
  const key = Object.keys(node).find((name) => name.startsWith('__reactFiber$'))
  let fiber = key ? (node as unknown as Record<string, Fiber | null>)[key] : null
  if (!fiber) return false
  // A fiber with an alternate was committed before.
  for (; fiber && !fiber.alternate; fiber = fiber.return) {
    if (fiber.flags & (2 | 4096)) return false
  }
  return true
}

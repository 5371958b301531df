import axe from 'axe-core'
import { expect, type Locator, type Page } from 'playwright/test'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

/** Both colour schemes and both widths, each once: a scheme decides contrast, a width the order of things. */
const looks = [
  { name: 'light, desktop', colorScheme: 'light', viewport: desktop },
  { name: 'dark, phone', colorScheme: 'dark', viewport: phone },
] as const

/**
 * Fails when the page, as it is, scrolls sideways or has something that axe finds serious, in any look. `what` names it
 * in the failure. The page is not loaded anew for each look, and changes at once because of reduced motion. `part`: the
 * content alone, without what stands around it on every page, where another look has it.
 */
export async function expectEveryLook(
  page: Page,
  what: string,
  part: 'document' | 'content' = 'document',
): Promise<void> {
  for (const { name, colorScheme, viewport } of looks) {
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme })
    expect(await page.evaluate(countTransitions), `${what}, transitions`).toBe(0)
    await expectNoSidewaysScroll(page, `${what}, ${name}`)
    await expectAccessible(page, `${what}, ${name}`, part)
  }
  await page.setViewportSize(desktop)
}

/** Returns how many transitions go on: none for readers who asked for less motion. */
function countTransitions(): number {
  return document.getAnimations().filter((each) => each instanceof CSSTransition).length
}

/** Fails when the page is wider than the window was asked to be; `what` names it in the failure. */
export async function expectNoSidewaysScroll(page: Page, what?: string): Promise<void> {
  // A phone's own window grows with what is too wide for it.
  const width = page.viewportSize()?.width ?? 0
  const needed = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(needed, what).toBeLessThanOrEqual(width)
}

/** Fails when axe finds anything serious or critical on the page as it is; `what` names it in the failure. */
export async function expectAccessible(
  page: Page,
  what: string,
  part: 'document' | 'content' = 'document',
): Promise<void> {
  // The title arrives after the content when a link leads to a page.
  await expect(page, what).toHaveTitle(/\S/)
  await page.evaluate(untilNothingPasses)
  // The same document may be looked at more than once. Our pages have no frames.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const found = await page.evaluate(findGrave, part)
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
async function findGrave(part: 'document' | 'content') {
  const run = (window as unknown as { axe: typeof axe }).axe.run
  // The rules for a whole document (its title, its language) look at it all the same.
  const around = part === 'content' ? [['nav[aria-label="Pages"]'], ['body header']] : []
  const { violations } = await run(
    { include: [['html']], exclude: around },
    { resultTypes: ['violations'] },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => ({
      id,
      where: nodes.slice(0, 3).map(({ target, failureSummary }) => `${target} ${failureSummary}`),
    }))
}

/** Fails when a text in this element became more than text, or ran; `what` names it in the failure. */
export async function expectInert(region: Locator, what: string): Promise<void> {
  const found = await region.evaluate((node) => {
    // Pictures of our own come from our own address.
    const markup =
      'img:not([src^="/api/"]), iframe, script, style, object, embed, meta, svg:not([aria-hidden]), a[href^="javascript:"], a[href^="data:"]'
    const listening = [...node.querySelectorAll('*')].filter((each) =>
      [...each.attributes].some(({ name }) => name.startsWith('on')),
    )
    return {
      markup: [...node.querySelectorAll(markup), ...listening].map(({ outerHTML }) => outerHTML),
      ran: Reflect.get(window, '__pwned') ?? null,
    }
  })
  expect(found, what).toEqual({ markup: [], ran: null })
}

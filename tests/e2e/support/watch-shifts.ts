import type { Page } from 'playwright/test'

/** Adds up how far things moved by themselves from now on, as browsers score it. */
export async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const moved = { sum: 0 }
    Reflect.set(window, '__moved', moved)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        if (!Reflect.get(entry, 'hadRecentInput')) moved.sum += Reflect.get(entry, 'value')
    }).observe({ type: 'layout-shift' })
  })
  return () => page.evaluate(() => Reflect.get(window, '__moved').sum)
}

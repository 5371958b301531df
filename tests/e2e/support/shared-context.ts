import type { Browser, BrowserContext } from 'playwright/test'
import { stateFile } from './site'
import { problemsOf, watchContext } from './watch-context'

export type SharedContext = {
  context: BrowserContext
  /** Makes it as good as new: what an earlier test left is gone. */
  begin: () => Promise<void>
  /** Closes the pages of this test and tells what must not have happened on them. */
  end: () => Promise<string[]>
  close: () => Promise<void>
}

/**
 * Opens a signed-in browser context for the tests of one worker, which use it one after the other. A new context would
 * need a second to load and compile the console.
 */
export async function openSharedContext(
  browser: Browser,
  who: 'admin' | 'member',
  origin: string,
): Promise<SharedContext> {
  const context = await browser.newContext({ storageState: stateFile(who) })
  const noted = await watchContext(context, origin)
  const cookies = await context.cookies()
  // Stays open, so that there is always somebody to forget.
  const keeper = await context.newPage()
  const storage = await context.newCDPSession(keeper)
  return {
    context,
    begin: async () => {
      await context.clearCookies()
      await context.addCookies(cookies)
      const storageTypes = 'local_storage,indexeddb,cache_storage,service_workers'
      await storage.send('Storage.clearDataForOrigin', { origin, storageTypes })
      noted.length = 0
    },
    end: async () => {
      const problems = await problemsOf(context, noted)
      const pages = context.pages().filter((page) => page !== keeper)
      await Promise.all(pages.map((page) => page.close()))
      return problems
    },
    close: () => context.close(),
  }
}

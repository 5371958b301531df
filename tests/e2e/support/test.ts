import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from 'playwright/test'
import { openSharedContext, type SharedContext } from './shared-context'
import { stateFile } from './site'
import { problemsOf, watchContext } from './watch-context'

type Known = 'admin' | 'member'

type Fixtures = {
  /** The context of a person who is signed in, for this test until it ends. */
  lend: (who: Known) => Promise<BrowserContext>
  /** Opens a page for this person, signed in; with `options`, or for a stranger, in a browser context of its own. */
  visit: (who: Known | 'stranger', options?: BrowserContextOptions) => Promise<Page>
}

type WorkerFixtures = {
  share: (who: Known, origin: string) => Promise<SharedContext>
}

/** Every page of every test is watched: no dialogs, no errors, nothing refused by the policy, no foreign requests. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  share: [
    async ({ browser }, use) => {
      const shared = new Map<Known, Promise<SharedContext>>()
      await use((who, origin) => {
        const known = shared.get(who) ?? openSharedContext(browser, who, origin)
        shared.set(who, known)
        return known
      })
      for (const known of shared.values()) await (await known).close()
    },
    { scope: 'worker' },
  ],
  lend: async ({ share, baseURL }, use) => {
    const lent = new Map<Known, SharedContext>()
    await use(async (who) => {
      const known = await share(who, originOf(baseURL))
      if (!lent.has(who)) await known.begin()
      lent.set(who, known)
      return known.context
    })
    const problems: string[] = []
    for (const { end } of lent.values()) problems.push(...(await end()))
    expect(problems).toEqual([])
  },
  // The admin's; a phone is another browser.
  context: async ({ browser, lend, baseURL, isMobile }, use) => {
    if (!isMobile) return use(await lend('admin'))
    const context = await browser.newContext()
    const noted = await watchContext(context, originOf(baseURL))
    await use(context)
    const problems = await problemsOf(context, noted)
    await context.close()
    expect(problems).toEqual([])
  },
  visit: async ({ browser, lend, baseURL, isMobile }, use) => {
    const opened: (() => Promise<void>)[] = []
    await use(async (who, options) => {
      if (who !== 'stranger' && !options && !isMobile) return (await lend(who)).newPage()
      const storageState = who === 'stranger' ? { cookies: [], origins: [] } : stateFile(who)
      const context = await browser.newContext({ storageState, ...options })
      const noted = await watchContext(context, originOf(options?.baseURL ?? baseURL))
      opened.push(async () => {
        const problems = await problemsOf(context, noted)
        await context.close()
        expect(problems).toEqual([])
      })
      return context.newPage()
    })
    for (const close of opened) await close()
  },
})

function originOf(baseURL: string | undefined): string {
  return new URL(baseURL ?? 'http://localhost').origin
}

export { expect }

import { type BrowserContextOptions, test as base, expect, type Page } from '@playwright/test'
import { stateFile } from './site'
import { troublesOf, watchContext } from './watch-context'

type Visitor = 'admin' | 'member' | 'stranger'

type Fixtures = {
  /** Opens a page in a browser context of its own, signed in as this person. */
  visit: (who: Visitor, options?: BrowserContextOptions) => Promise<Page>
}

/** Every page of every test is watched: no dialogs, no errors, nothing refused by the policy, no foreign requests. */
export const test = base.extend<Fixtures>({
  context: async ({ context, baseURL }, use) => {
    const noted = await watchContext(context, originOf(baseURL))
    await use(context)
    expect(await troublesOf(context, noted)).toEqual([])
  },
  visit: async ({ browser, baseURL }, use) => {
    const opened: (() => Promise<void>)[] = []
    await use(async (who, options = {}) => {
      const storageState = who === 'stranger' ? { cookies: [], origins: [] } : stateFile(who)
      const context = await browser.newContext({ storageState, ...options })
      const noted = await watchContext(context, originOf(options.baseURL ?? baseURL))
      opened.push(async () => {
        const troubles = await troublesOf(context, noted)
        await context.close()
        expect(troubles).toEqual([])
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

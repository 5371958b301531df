import type { BrowserContext, ConsoleMessage, Page } from 'playwright/test'

/**
 * Lines that a browser writes on its own when a request does not succeed; each test decides whether that is an error.
 */
const aboutRequests = /^Failed to load resource|^EventSource's response/

/**
 * Notes everything that must not happen on any page of this context: dialogs, errors, refusals by the content security
 * policy, requests to other origins. Returns the list that grows.
 */
export async function watchContext(context: BrowserContext, origin: string): Promise<string[]> {
  const problems: string[] = []
  // Scripts that are refused and catch it leave nothing in the console by themselves.
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      console.error(`Refused by the policy: ${effectiveDirective} ${blockedURI}`)
    })
  })
  const watch = (page: Page) => {
    page.on('dialog', (dialog) => {
      problems.push(`Dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    page.on('pageerror', (error) => problems.push(`Page error: ${error.message}`))
    page.on('console', (message) => {
      if (isProblem(message)) problems.push(`Console: ${message.text()}`)
    })
  }
  context.on('page', watch)
  context.on('request', (request) => {
    const url = new URL(request.url())
    const local = url.origin === origin || ['data:', 'blob:', 'about:'].includes(url.protocol)
    if (!local) problems.push(`Request to ${url.href}`)
  })
  return problems
}

/** Returns the same list, with the pages on which a hostile text managed to run. */
export async function problemsOf(context: BrowserContext, noted: string[]): Promise<string[]> {
  const pages = context.pages().filter((page) => !page.isClosed())
  const pwned = await Promise.all(
    pages.map((page) => page.evaluate(() => Reflect.get(window, '__pwned')).catch(() => undefined)),
  )
  return [...noted, ...pwned.filter((mark) => mark !== undefined).map((mark) => `Ran: ${mark}`)]
}

function isProblem(message: ConsoleMessage): boolean {
  return message.type() === 'error' && !aboutRequests.test(message.text())
}

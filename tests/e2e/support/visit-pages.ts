import { expect, type Page } from '@playwright/test'
import { placesFor } from '@/app/(console)/shell/destinations'

/** A list whose search finds one thing that no other test changes; the page of that thing is visited as well. */
const found = [
  '/users?search=admin@example.org',
  '/groups?search=Readers',
  '/configurations?search=local-openai-compatible',
]
const unnamed = ['/approvals/decided', '/approvals/rules/new', '/configurations/new']

/** Opens every page that an admin can go to by name but those in `except`, and what the lists lead to. */
export async function visitPages(
  page: Page,
  except: readonly string[],
  look: (what: string) => Promise<void>,
): Promise<void> {
  const named = placesFor('admin').map(({ href }) => href)
  const visit = async (href: string) => {
    await page.goto(href)
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await look(href)
  }
  for (const href of [...named, ...unnamed]) {
    if (!except.includes(href)) await visit(href)
  }
  for (const list of found) {
    await page.goto(list)
    const [path] = list.split('?')
    const link = page
      .getByRole('main')
      .locator(`a[href^="${path}/"]:not([href$="/new"])`)
      .filter({ visible: true })
    await visit((await link.first().getAttribute('href')) ?? list)
  }
}

import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import type { APIRequestContext, Page } from 'playwright/test'
import { placesFor } from '@/components/shell/destinations'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectEnd, runPrompt } from './support/playground'
import { readSite, stateFile } from './support/site'
import { expect, test } from './support/test'
import { openTools, toolSwitch } from './support/tools-page'
import { whenInteractive } from './support/when-interactive'

/** Pages of no one thing that the navigation does not name. */
const unnamed = [
  '/account/api',
  '/approvals/rules/new',
  '/configurations/new',
  '/connections/new',
  '/models/discover',
  '/models/new',
  '/skills/add',
  '/tasks/new',
]

/** The Playground fills the window and shows no heading; the other addresses only lead elsewhere. */
const without = ['/playground', '/resources', '/servers/of/[toolName]', '/checks/of/[runId]']

/** Returns the addresses of all pages of the console, with the parameters as folders name them. */
function routes(): string[] {
  return readdirSync('app/(console)', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('/page.tsx'))
    .map((file) => `/${file}`.replaceAll(/\/\([^/]*\)|\/page\.tsx$/g, ''))
    .filter((route) => !without.includes(route))
}

const isOf = (route: string, address: string) =>
  new RegExp(`^${route.replaceAll(/\[\w+\]/g, '[^/]+')}$`).test(address)

const heading = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

/** Returns how far from the left the heading of this page begins. */
async function leftEdge(page: Page, address: string): Promise<number> {
  await go(page, address)
  await expect(heading(page)).toBeVisible()
  return heading(page).evaluate((shown) => shown.getBoundingClientRect().left)
}

/** Saves a run as a check and runs it once. Returns the addresses of its pages. */
async function addCheck(page: Page, runId: string): Promise<string[]> {
  await expectEnd(page, 'Completed')
  await go(page, `/runs/${runId}/check`)
  await page.getByText('Tries, groups, suites and description', { exact: true }).click()
  await page.getByLabel('Suites').fill('Framed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/checks\/[^/]+$/)
  const check = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL(/\/checks\/runs\/[^/]+$/)
  return ['/checks/suites/Framed', check, `${check}/edit`, new URL(page.url()).pathname]
}

test('every page begins at the same left edge, and the tab and the top bar name the thing', async ({
  page,
}) => {
  // Every page.
  test.slow()
  await page.goto('/playground')
  const run = await runPrompt(page, {
    configuration: 'Local openai',
    prompt: `${newMark()} [[say: Done.]]`,
  })
  const named = placesFor('admin').map(({ href }) => href)
  const lists = [...named, ...unnamed].filter((href) => !without.includes(href))
  const things = [...readSite().wide, `/runs/${run}`, `/runs/${run}/compare`]
  things.push(`/runs/${run}/replay`, `/runs/${run}/fork`, `/runs/${run}/check`)
  things.push(...(await addCheck(page, run)))
  const unvisited = (route: string) =>
    !(route.includes('[') ? things : lists).some((address) => isOf(route, address))
  expect(routes().filter(unvisited), 'routes that this test does not visit').toEqual([])

  const edge = await leftEdge(page, '/runs')
  for (const address of [...lists, ...things]) {
    await test.step(address, async () => {
      expect(await leftEdge(page, address), address).toBe(edge)
      if (!things.includes(address)) return
      await expect(page).toHaveTitle(/ · .+ · Toolgate$/)
      const name = (await page.title()).split(' · ')[0]?.replace(/…$/, '') ?? ''
      await expect(heading(page)).toContainText(name)
      await expect(page.getByRole('banner').locator('[aria-current=page]')).toContainText(name)
    })
  }
})

/** Returns the title that the server sends. */
async function titleOf(request: APIRequestContext, address: string): Promise<string | undefined> {
  const html = await (await request.get(address)).text()
  return /<title>([^<]*)<\/title>/.exec(html)?.[1]
}

test('what is missing and what is forbidden have the same title', async ({
  page,
  playwright,
  baseURL,
}) => {
  const member = await playwright.request.newContext({
    ...(baseURL && { baseURL }),
    storageState: stateFile('member'),
  })
  for (const address of readSite().wide) {
    const absent = address.replace(
      /^(\/(?:resources\/|approvals\/|runs\/)?[^/]+)\/[^/]+/,
      (_, list) => (list === '/tools' ? '/tools/no_such_tool' : `${list}/${randomUUID()}`),
    )
    const [forbidden, missing, mine] = [
      await titleOf(member, address),
      await titleOf(member, absent),
      await titleOf(page.request, absent),
    ]
    expect({ address, forbidden, mine }).toEqual({ address, forbidden: missing, mine: missing })
  }
  await member.dispose()
})

test('an index stands beside a long page, and marks the section in view', async ({ page }) => {
  await page.goto('/account')
  const index = page.getByRole('navigation', { name: 'On this page' })
  const headings = page.getByRole('main').getByRole('heading', { level: 2 })
  await expect(headings.first()).toBeVisible()
  await expect(index.getByRole('link')).toHaveText(await headings.allTextContents())
  const last = index.getByRole('link').last()
  await last.click()
  await expect(headings.last()).toBeInViewport()
  await expect(last).toHaveAttribute('aria-current', 'location')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(index).toBeHidden()
})

test('a tool is switched off with one click, in the list and on its page, and back with one', async ({
  page,
}) => {
  const name = 'current_time'
  const offAndOn = async () => {
    const shown = toolSwitch(page, name)
    await whenInteractive(shown)
    await expect(shown).toBeChecked()
    await shown.click()
    await expect(page.getByText(`Switched off ${name}`, { exact: true })).toBeVisible()
    await expect(shown).not.toBeChecked()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(shown).toBeChecked()
  }
  await openTools(page, `?search=${name}`)
  await offAndOn()
  await go(page, `/tools/${name}`)
  await offAndOn()
})

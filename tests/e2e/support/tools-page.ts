import { expect, type Locator, type Page } from 'playwright/test'
import { go } from './go'
import { whenInteractive } from './when-interactive'

export async function openTools(page: Page, query = ''): Promise<void> {
  await go(page, `/tools${query}`)
  await whenInteractive(toolRows(page).first())
}

export function toolSwitch(page: Page, name: string): Locator {
  return page.getByRole('switch', { name, exact: true })
}

/** Returns the visible rows by their switches, without those of whole groups. */
/** Returns the switches of tools. Those of servers are left out, which other files add and delete meanwhile. */
export function toolRows(page: Page): Locator {
  return page.getByRole('switch', { name: /^(?!Group |\w+?__)/ })
}

export async function chooseFromMenu(page: Page, name: string, item: RegExp): Promise<void> {
  await page.getByRole('button', { name: `More for ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

export async function resetTool(page: Page, name: string): Promise<void> {
  await chooseFromMenu(page, name, /^Reset to default/)
  const words = new RegExp(`^Reset ${name}$|^Reset ${name} to `)
  await expect(page.getByText(words)).toBeVisible()
}

export async function switchOff(page: Page, name: string): Promise<void> {
  await toolSwitch(page, name).click()
  await expect(page.getByText(`Switched off ${name}`, { exact: true })).toBeVisible()
}

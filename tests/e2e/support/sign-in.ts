import pg from 'pg'
import { expect, type Page } from 'playwright/test'
import { readSite } from './site'
import { whenInteractive } from './when-interactive'

export type Account = { email: string; password: string }

/** Fills in the sign-in form and sends it; what comes of it is for the caller to see. */
export async function sendSignIn(page: Page, { email, password }: Account): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await whenInteractive(button)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await button.click()
}

/** Signs out through the menu of the account. */
export async function signOut(page: Page): Promise<void> {
  const menu = page.getByRole('button', { name: /^Account: / })
  await whenInteractive(menu)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/sign-in$/)
}

/** Makes this person's sign-ins look this many minutes old, in all of their browsers. */
export async function setLastProof(email: string, minutesAgo: number): Promise<void> {
  const client = new pg.Client({ connectionString: readSite().env.DATABASE_URL })
  await client.connect()
  await client.query(
    `UPDATE sessions SET "authenticatedAt" = now() AT TIME ZONE 'UTC' - $2 * interval '1 minute'
     WHERE "userId" = (SELECT id FROM users WHERE email = $1)`,
    [email, minutesAgo],
  )
  await client.end()
}

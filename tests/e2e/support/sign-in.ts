import type { Page } from '@playwright/test'
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

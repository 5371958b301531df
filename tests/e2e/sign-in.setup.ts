import { sendSignIn } from './support/sign-in'
import { accounts, stateFile } from './support/site'
import { expect, test } from './support/test'

for (const who of ['admin', 'member'] as const) {
  test(`the ${who} signs in`, async ({ visit }) => {
    const page = await visit('stranger')
    await page.goto('/sign-in')
    await sendSignIn(page, accounts[who])
    await expect(page).toHaveURL(/\/playground$/)
    await page.context().storageState({ path: stateFile(who) })
  })
}

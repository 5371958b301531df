import { createHash, randomBytes, randomUUID } from 'node:crypto'
import pg from 'pg'
import type { CDPSession, Page } from 'playwright/test'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible, expectEveryLook } from './support/page-checks'
import { type Account, sendSignIn, setLastProof, signOut } from './support/sign-in'
import { accounts, readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

const factors = (page: Page) => page.getByRole('region', { name: 'Second factor' })

/** Adds Chromium's own virtual authenticator, whose user always confirms. */
async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { cdp, authenticatorId }
}

async function signInWithPasskey(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await whenInteractive(button)
  await button.click()
}

/** Adds an API key, which first asks who it is: the sign-in is older than 15 minutes. */
async function addKeyLate(page: Page, keyholder: Account): Promise<void> {
  await setLastProof(keyholder.email, 20)
  const make = page.getByRole('button', { name: 'Add API key' })
  await whenInteractive(make)
  await make.click()
  await page.getByLabel('Purpose').fill('CI')
  await page.getByRole('button', { name: 'Add API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expectAccessible(page, 'the question who it is')
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Your password').fill(keyholder.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('textbox', { name: 'API key' })).toHaveValue(/^tg_/)
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
}

test('an API key asks again who it is; a passkey is added, signs in, is lost, and a recovery code lets its owner in', async ({
  visit,
}) => {
  test.slow()
  const keyholder = test.info().retry === 0 ? accounts.keyholder : accounts.keyholderAgain
  const page = await visit('stranger')
  const { cdp, authenticatorId } = await addAuthenticator(page)
  await page.goto('/sign-in?next=/account')
  await sendSignIn(page, keyholder)
  await expect(page).toHaveURL(({ pathname }) => pathname === '/account')
  await test.step('an API key asks who it is', () => addKeyLate(page, keyholder))

  const add = page.getByRole('button', { name: 'Add a passkey' })
  await whenInteractive(add)
  await add.click()
  await page.getByLabel('Name', { exact: true }).last().fill('Virtual key')
  await page.getByRole('button', { name: 'Continue' }).click()
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const [code = ''] = await codes.allTextContents()
  await expectAccessible(page, 'recovery codes')
  await page.getByRole('button', { name: 'I saved them' }).click()
  await expect(page.getByRole('button', { name: 'Remove Virtual key' })).toBeVisible()
  await expect(factors(page).getByText('10 recovery codes left.')).toBeVisible()
  await expectEveryLook(page, 'account with a passkey')

  await signOut(page)
  await signInWithPasskey(page)
  await expect(page).toHaveURL(/\/overview$/)

  await signOut(page)
  await cdp.send('WebAuthn.clearCredentials', { authenticatorId })
  await signInWithPasskey(page)
  await expect(page.getByText('The passkey did not work')).toBeVisible()
  await sendSignIn(page, keyholder)
  await expect(page.getByRole('heading', { name: 'Confirm your sign-in' })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page, 'the second step, on a phone')
  // The password alone opened nothing.
  expect((await page.request.get('/api/v1/runs')).status()).toBe(401)
  await page.getByLabel('Recovery code').fill('0000-0000-0000-0000')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('This code is wrong, expired, or already used.')).toBeVisible()
  await page.getByLabel('Recovery code').fill(code)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page).toHaveURL(/\/overview$/)
  await go(page, '/account')
  await expect(factors(page).getByText('9 recovery codes left.')).toBeVisible()
})

/** Adds an admin of this test's own, and a key of theirs that is off since a restore. Returns both. */
async function addPausedKey(): Promise<{ admin: Account; userId: string; token: string }> {
  const admin = { ...accounts.admin, email: `${newMark()}@example.org` }
  const [userId, token] = [randomUUID(), `tg_${randomBytes(32).toString('base64url')}`]
  const hash = createHash('sha256').update(token).digest('hex')
  const client = new pg.Client({ connectionString: readSite().env.DATABASE_URL })
  await client.connect()
  await client.query(
    `INSERT INTO users (id, email, name, role, "passwordHash", "updatedAt")
     SELECT $1, $2, 'Rea Restorer', 'admin', "passwordHash", now() FROM users WHERE email = $3`,
    [userId, admin.email, accounts.admin.email],
  )
  await client.query(
    `INSERT INTO api_keys (id, "userId", name, prefix, "tokenHash", scopes, "pausedAt")
     VALUES (gen_random_uuid(), $1, 'Nightly', $2, $3, '{runs:read}', now())`,
    [userId, token.slice(0, 9), hash],
  )
  await client.end()
  return { admin, userId, token }
}

test('an API key that is off since a restore says so, and works once an admin confirmed who they are and switched it on', async ({
  visit,
}) => {
  const { admin, userId, token } = await addPausedKey()
  const page = await visit('stranger')
  const statusOfKey = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await page.request.get('/api/v1/runs', { headers })).status()
  }
  expect(await statusOfKey()).toBe(401)
  await page.goto(`/sign-in?next=/users/${userId}`)
  await sendSignIn(page, admin)
  // The audit below names the key, too, once it was switched on.
  const ofKey = { hasText: token.slice(0, 9), hasNotText: 'switched on' }
  const key = page.getByRole('listitem').filter(ofKey)
  await expect(key.getByText('Off since a restore')).toBeVisible()
  await setLastProof(admin.email, 20)
  const switchOn = key.getByRole('button', { name: 'Switch on Nightly' })
  await whenInteractive(switchOn)
  await switchOn.click()
  const question = page.getByRole('dialog', { name: 'Switch on Nightly' })
  await expect(question).toContainText('Programs can use it again.')
  await question.getByRole('button', { name: 'Switch on Nightly' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(proof).toBeVisible()
  expect(await statusOfKey()).toBe(401)
  await proof.getByLabel('Your password').fill(admin.password)
  await proof.getByRole('button', { name: 'Confirm' }).click()
  // Behind a dialog, nothing of the page is to be found.
  await expect(proof).toBeHidden()
  await expect(page.getByText('Switched on Nightly', { exact: true })).toBeVisible()
  await expect(key).toBeVisible()
  await expect(key.getByText('Off since a restore')).toBeHidden()
  await expect(switchOn).toBeHidden()
  expect(await statusOfKey()).toBe(200)
})

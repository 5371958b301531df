import type { Page } from 'playwright/test'
import { type IdentityProvider, startIdentityProvider } from '@/tests/support/identity-provider'
import { type StandaloneServer, startStandaloneServer } from '@/tests/support/standalone-server'
import { go } from './support/go'
import { newMark } from './support/model-requests'
import { expectAccessible } from './support/page-checks'
import { signOut } from './support/sign-in'
import { readSite } from './support/site'
import { expect, test } from './support/test'
import { whenInteractive } from './support/when-interactive'

// A server of its own on the same database, whose people may also come from an identity provider.
let server: StandaloneServer
let provider: IdentityProvider

test.beforeAll(async () => {
  const { env, port } = readSite()
  const own = port + 6
  const client = {
    id: 'toolgate',
    secret: 'a client secret',
    redirectUri: `http://localhost:${own}/api/auth/callback/oidc`,
  }
  provider = await startIdentityProvider(client)
  server = await startStandaloneServer(own, {
    ...env,
    TOOLGATE_OIDC_ISSUER: provider.issuer,
    TOOLGATE_OIDC_CLIENT_ID: client.id,
    TOOLGATE_OIDC_CLIENT_SECRET: client.secret,
    TOOLGATE_OIDC_NAME: 'Example ID',
    TOOLGATE_OIDC_SCOPES: 'openid email profile groups',
    TOOLGATE_OIDC_ADMIN_GROUPS: 'ops',
    TOOLGATE_OIDC_MEMBER_GROUPS: 'staff',
  })
})

test.afterAll(async () => {
  await server.stop()
  await provider.close()
})

async function enter(page: Page): Promise<void> {
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Sign in with Example ID' })
  await whenInteractive(button)
  await button.click()
}

test('a person of an identity provider comes, changes groups, is suspended, and comes back', async ({
  browser,
  page: admin,
}) => {
  test.slow()
  const mark = newMark()
  const name = `Kim ${mark}`
  const kim = { sub: mark, email: `${mark}@example.org`, email_verified: true, name }
  // Not watched for requests to other sites: this one goes to the provider.
  const stranger = { baseURL: server.baseUrl, storageState: { cookies: [], origins: [] } }
  const [context, elsewhere] = [
    await browser.newContext(stranger),
    await browser.newContext(stranger),
  ]
  const page = await context.newPage()
  const notice = page.getByRole('alert').filter({ hasText: 'Not signed in' })
  const row = admin.getByRole('row').filter({ hasText: name })

  await test.step('the first sign-in makes an account', async () => {
    provider.person = { ...kim, groups: ['staff'] }
    await enter(page)
    await expect(page).toHaveURL(/\/overview$/)
    await expect(page.getByRole('button', { name: `Account: ${name}` })).toBeVisible()
    await admin.goto(`/users?search=${mark}`)
    await expect(row).toContainText('Active')
    await expect(row).toContainText('Member')
  })

  await test.step('other groups are another role', async () => {
    await signOut(page)
    await expect(page.getByText('On a shared computer, sign out at Example ID, too.')).toBeVisible()
    provider.person = { ...kim, groups: ['staff', 'ops'] }
    await enter(page)
    await expect(page).toHaveURL(/\/overview$/)
    await go(page, '/users')
    await admin.reload()
    await expect(row).toContainText('Admin')
  })

  await test.step('groups in a form that nobody can read change nothing', async () => {
    const other = await elsewhere.newPage()
    provider.person = { ...kim, groups: [{ id: 'staff' }] }
    await enter(other)
    await expect(other).toHaveURL(/error=groups-shape/)
    await elsewhere.close()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'People' })).toBeVisible()
  })

  await test.step('without groups the account is suspended, and an admin sees why', async () => {
    await signOut(page)
    provider.person = kim
    await enter(page)
    await expect(notice).toContainText('Example ID sent no groups (claim “groups”)')
    await expectAccessible(page, 'the sign-in page of a suspended person')
    await admin.reload()
    await expect(row).toContainText('Suspended')
    await row.getByRole('link', { name }).click()
    const why = 'Example ID sent no list of groups (claim "groups") at a sign-in.'
    await expect(
      admin.getByText(`${why} Sessions and runs have ended; API keys and schedules wait.`),
    ).toBeVisible()
    await expect(admin.getByRole('switch', { name: `Account of ${name}` })).not.toBeChecked()
    await expectAccessible(admin, 'the page of a suspended person')
  })

  await test.step('with a list the person is back, in the role of its groups', async () => {
    provider.person = { ...kim, groups: ['staff'] }
    await enter(page)
    await expect(page).toHaveURL(/\/overview$/)
    await admin.goto(`/users?search=${mark}&state=active`)
    await expect(row).toContainText('Member')
  })

  await test.step('an admin enables a suspended account', async () => {
    await signOut(page)
    provider.person = { ...kim, groups: null }
    await enter(page)
    await expect(notice).toBeVisible()
    await row.getByRole('link', { name }).click()
    const toggle = admin.getByRole('switch', { name: `Account of ${name}` })
    await whenInteractive(toggle)
    await toggle.click()
    const dialog = admin.getByRole('dialog', { name: `Enable ${name}` })
    await expect(dialog).toContainText('API keys and schedules work again')
    await dialog.getByRole('button', { name: 'Enable' }).click()
    await expect(toggle).toBeChecked()
  })
  await context.close()
})

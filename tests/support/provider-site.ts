import { afterAll, beforeAll, beforeEach } from 'vitest'
import { loadSession } from '@/lib/auth/load-session'
import { readSessionCookie, sessionCookieName } from '@/lib/auth/session-cookie'
import { startAuthSite } from './auth-site'
import { CookieJar } from './cookie-jar'
import { db } from './fixture-db'
import {
  type IdentityProvider,
  type ProviderPerson,
  startIdentityProvider,
} from './identity-provider'
import { setEnv } from './test-process'

export const kim = {
  sub: 'kim-1',
  email: 'Kim@example.org',
  email_verified: true,
  name: 'Kim',
  groups: ['staff', 'writers'],
}

/** Starts the sign-in of this site and an identity provider for the tests of a file; before each, there are no accounts. */
export function providerSiteOfFile() {
  let site: { url: string; close: () => Promise<void> }
  let provider: IdentityProvider
  const callback = () => `${site.url}/api/auth/callback/oidc`

  beforeAll(async () => {
    site = await startAuthSite()
    const client = { id: 'toolgate', secret: 'a client secret', redirectUri: callback() }
    provider = await startIdentityProvider(client)
    setEnv({
      TOOLGATE_OIDC_ISSUER: provider.issuer,
      TOOLGATE_OIDC_CLIENT_ID: client.id,
      TOOLGATE_OIDC_CLIENT_SECRET: client.secret,
      TOOLGATE_OIDC_SCOPES: 'openid email profile groups',
      TOOLGATE_OIDC_ADMIN_GROUPS: 'ops',
      TOOLGATE_OIDC_MEMBER_GROUPS: 'staff',
      TOOLGATE_OIDC_GROUP_MAP: 'writers=Editors',
      TOOLGATE_OIDC_LINK_BY_EMAIL: 'on',
    })
  })

  afterAll(async () => {
    await provider.close()
    await site.close()
  })

  beforeEach(async () => {
    provider.tamper = null
    await db().user.deleteMany()
    await db().group.deleteMany()
  })

  /** Goes to the provider and back as a browser would; returns the page it ends on and the session, if there is one. */
  async function enter(person: ProviderPerson, jar = new CookieJar(), ask = '') {
    provider.person = person
    const { response } = await jar.visit(`${site.url}/api/auth/csrf`)
    const { csrfToken } = await response.json()
    const end = await jar.visit(`${site.url}/api/auth/signin/oidc${ask}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrfToken, callbackUrl: '/runs' }),
    })
    const { pathname, searchParams } = new URL(end.url)
    const sid = await readSessionCookie(jar.valueOf(site.url, sessionCookieName()))
    return {
      page: pathname,
      error: searchParams.get('error'),
      session: sid ? await loadSession(sid) : null,
    }
  }

  return {
    enter,
    callback,
    get url() {
      return site.url
    },
    get provider() {
      return provider
    },
  }
}

/** Returns what was done to an account; refusals are stored some time later. */
export function actionsOn(objectId: string): Promise<string[]> {
  return db()
    .auditEntry.findMany({
      where: { objectId, refusalKey: null },
      orderBy: [{ at: 'asc' }, { id: 'asc' }],
    })
    .then((rows) => rows.map(({ action }) => action))
}

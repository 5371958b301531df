import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Configuration } from 'oidc-provider'

export type ProviderPerson = { sub: string; [claim: string]: unknown }

export type IdentityProvider = {
  issuer: string
  /** The next person to sign in; the provider asks no password. */
  person: ProviderPerson
  /** Changes the ID token on its way to us; reset it to null. */
  tamper: ((token: string) => string) | null
  /** The provider's own key, with which it signs. */
  key: KeyObject
  close: () => Promise<void>
}

/**
 * Starts a real OpenID Connect provider on loopback, with one client. Each sign-in is by the person that the test
 * names.
 */
export async function startIdentityProvider(client: {
  id: string
  secret: string
  redirectUri: string
}): Promise<IdentityProvider> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const site: IdentityProvider = {
    issuer: `http://127.0.0.1:${port}`,
    person: { sub: 'nobody' },
    tamper: null,
    key: privateKey,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const provider = new Provider(site.issuer, configuration(client, site))
  provider.use(async (ctx, next) => {
    if (ctx.path.startsWith('/login/')) {
      const login = { accountId: site.person.sub }
      await provider.interactionFinished(ctx.req, ctx.res, { login })
      ctx.respond = false
      return
    }
    await next()
    const { body } = ctx
    if (ctx.path === '/token' && site.tamper && hasIdToken(body)) {
      ctx.body = { ...body, id_token: site.tamper(body.id_token) }
    }
  })
  server.on('request', provider.callback())
  return site
}

function configuration(
  { id, secret, redirectUri }: { id: string; secret: string; redirectUri: string },
  site: IdentityProvider,
): Configuration {
  return {
    clients: [{ client_id: id, client_secret: secret, redirect_uris: [redirectUri] }],
    jwks: {
      keys: [{ ...site.key.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }],
    },
    cookies: { keys: ['for tests alone'] },
    ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60 },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    // The ID token carries who it is, and /me the rest: as half of all providers do it.
    conformIdTokenClaims: true,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: async () => ({ ...site.person, sub }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      })
      grant.addOIDCScope('openid email profile groups')
      await grant.save()
      return grant
    },
  }
}

function hasIdToken(body: unknown): body is { id_token: string } {
  return typeof body === 'object' && body !== null && 'id_token' in body
}

/** Returns the same token with other claims, signed with `key`. */
export function resign(
  token: string,
  change: Record<string, unknown>,
  key: KeyObject,
  header: Record<string, unknown> = {},
): string {
  const [head = '', body = ''] = token.split('.')
  const part = (text: string, more: object) =>
    Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...more }),
    ).toString('base64url')
  const signed = `${part(head, header)}.${part(body, change)}`
  return `${signed}.${sign('RSA-SHA256', Buffer.from(signed), key).toString('base64url')}`
}

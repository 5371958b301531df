import type { OAuthConfig } from 'next-auth/providers/oauth'
import { z } from 'zod'
import type { OidcSettings } from './oidc-settings'

const Claims = z.looseObject({ sub: z.string() })

export const oidcProviderId = 'oidc'

/**
 * The identity provider as next-auth wants it: authorisation code with PKCE, state and nonce. The ID token's signature,
 * issuer, audience, nonce and times are checked by openid-client before any claim is looked at.
 */
export function oidcProvider(settings: OidcSettings): OAuthConfig<Record<string, unknown>> {
  return {
    id: oidcProviderId,
    name: settings.name,
    type: 'oauth',
    wellKnown: `${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    authorization: { params: { scope: settings.scopes } },
    idToken: true,
    checks: ['pkce', 'state', 'nonce'],
    httpOptions: { timeout: 10_000 },
    userinfo: {
      request: async ({ client, tokens }) => {
        // Discovery must name the very issuer that was configured, or another one could speak for it.
        if (client.issuer.metadata.issuer !== settings.issuer) {
          throw new Error(
            `The provider names another issuer than the configured one: ${client.issuer.metadata.issuer}.`,
          )
        }
        const claims = claimsOf(tokens.id_token)
        if (isComplete(claims, settings) || !client.issuer.metadata.userinfo_endpoint) return claims
        const more = await client.userinfo(tokens.access_token ?? '')
        if (more.sub !== claims.sub)
          throw new Error('The provider sent the user information of another person.')
        return { ...more, ...claims }
      },
    },
    // Whether this person gets in is decided once everything was checked; until then there is no session.
    profile: (claims) => ({ id: String(claims.sub), sessionId: '' }),
  }
}

/** The claims of a token whose signature and checks have passed already. */
function claimsOf(idToken: string | undefined): { sub: string } {
  const payload = idToken?.split('.').at(1) ?? ''
  return Claims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
}

/** Some providers put only what identifies a person into the ID token, and the rest where one has to ask. */
function isComplete(claims: Record<string, unknown>, { groupsClaim }: OidcSettings): boolean {
  return claims[groupsClaim] !== undefined && claims.email !== undefined
}

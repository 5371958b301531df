import type { OAuthConfig } from 'next-auth/providers/oauth'
import { z } from 'zod'
import { Email } from '@/lib/domains/users/schemas'
import { env } from '@/lib/kernel/env'
import { isStorableText } from '@/lib/kernel/storable-text'
import { nameLine } from '@/lib/words/clean-text'

export type OidcSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  /** "Sign in with …". */
  name: string
  scopes: string
  groupsClaim: string
  adminGroups: readonly string[]
  memberGroups: readonly string[]
  /** From the provider's group to the name of ours. */
  groupMap: readonly { theirs: string; ours: string }[]
  linkByEmail: boolean
}

/** Returns the settings of the identity provider; null when there is none. The environment was checked at boot. */
export function oidcSettings(): OidcSettings | null {
  const values = env()
  const issuer = values.TOOLGATE_OIDC_ISSUER
  const clientId = values.TOOLGATE_OIDC_CLIENT_ID
  const clientSecret = values.TOOLGATE_OIDC_CLIENT_SECRET
  if (!issuer || !clientId || !clientSecret) return null
  return {
    issuer,
    clientId,
    clientSecret,
    name: values.TOOLGATE_OIDC_NAME,
    scopes: values.TOOLGATE_OIDC_SCOPES,
    groupsClaim: values.TOOLGATE_OIDC_GROUPS_CLAIM,
    adminGroups: values.TOOLGATE_OIDC_ADMIN_GROUPS,
    memberGroups: values.TOOLGATE_OIDC_MEMBER_GROUPS,
    groupMap: values.TOOLGATE_OIDC_GROUP_MAP,
    linkByEmail: values.TOOLGATE_OIDC_LINK_BY_EMAIL === 'on',
  }
}

const text = z.string().refine(isStorableText)

const Claims = z.looseObject({
  iss: text.max(2_000),
  sub: text.min(1).max(255),
  email: Email.optional().catch(undefined),
  email_verified: z.literal(true).optional().catch(undefined),
  auth_time: z.int().min(0).optional().catch(undefined),
  name: text.overwrite(nameLine).optional().catch(undefined),
  preferred_username: text.overwrite(nameLine).optional().catch(undefined),
})

/**
 * Returns the claim of this name; undefined = there is none. A name with dots is a path, as in `realm_access.roles`, unless
 * a claim has the whole name, or the beginning of it: `https://example.org/app.roles`.
 */
export function claimOf(claims: unknown, name: string): unknown {
  if (typeof claims !== 'object' || claims === null) return undefined
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) {
    const [key, rest] = [name.slice(0, end), name.slice(end + 1)]
    const value: unknown = Object.getOwnPropertyDescriptor(claims, key)?.value
    const found = rest === '' ? value : claimOf(value, rest)
    if (found !== undefined) return found
  }
  return undefined
}

const mostGroups = 10_000

/**
 * Why nobody knows a person's groups: the claim is absent or null, the provider names another place for it (Entra's overage), it has
 * a shape that is no list of names, or too many entries.
 */
export type UnreadGroups = 'groups-absent' | 'groups-elsewhere' | 'groups-shape' | 'groups-too-many'

/** Returns the names in the claim, or why they cannot be read. Entries of a list that are no text count only if there are no others. */
function groupsOf(claims: unknown, name: string): ReadonlySet<string> | UnreadGroups {
  const value = claimOf(claims, name)
  if (isElsewhere(claims, name)) return 'groups-elsewhere'
  if (value === undefined || value === null) return 'groups-absent'
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > mostGroups) return 'groups-too-many'
  const names = list.flatMap((each) => (typeof each === 'string' && each.trim() ? each : []))
  return names.length === 0 && list.length > 0 ? 'groups-shape' : new Set(names)
}

/** Returns whether the claim, or what its path begins with, is among those that the provider keeps in another place. */
function isElsewhere(claims: unknown, name: string): boolean {
  const places = claimOf(claims, elsewhere)
  if (typeof places !== 'object' || places === null) return false
  return Object.keys(places).some((key) => `${name}.`.startsWith(`${key}.`))
}

const elsewhere = '_claim_names'

/** The identity that the provider reports. Without `emailVerified`, `email` may belong to somebody else. */
export type OidcIdentity = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  /** True = the provider sent something that is no e-mail address. */
  hasUnusableEmail: boolean
  name: string
  groups: ReadonlySet<string> | UnreadGroups
  /** When the provider last authenticated this person, if it reports that; never in the future. */
  authenticatedAt: Date | null
}

/** Returns the identity in the claims of a checked ID token. Throws when the configured issuer did not issue it. */
export function oidcIdentity(claims: unknown, settings: OidcSettings): OidcIdentity {
  const found = Claims.parse(claims)
  if (found.iss !== settings.issuer) throw new Error('The ID token comes from another issuer.')
  const email = found.email ?? null
  return {
    issuer: found.iss,
    subject: found.sub,
    email,
    emailVerified: email !== null && found.email_verified === true,
    hasUnusableEmail: email === null && Boolean(claimOf(claims, 'email')),
    name: (found.name || found.preferred_username || email || found.sub).slice(0, 100),
    groups: groupsOf(claims, settings.groupsClaim),
    authenticatedAt:
      found.auth_time === undefined ? null : new Date(Math.min(found.auth_time * 1000, Date.now())),
  }
}

const TokenClaims = z.looseObject({ sub: z.string() })

export const oidcProviderId = 'oidc'

/**
 * Returns the identity provider for next-auth: authorisation code with PKCE, state and nonce. openid-client checks the
 * ID token's signature, issuer, audience, nonce and times before any claim is read.
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
        // Discovery must name exactly the configured issuer; otherwise another one could answer for it.
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
        return joinedClaims(claims, more, settings)
      },
    },
    // There is no session before everything is checked and the person is admitted.
    profile: (claims) => ({ id: String(claims.sub), sessionId: '' }),
  }
}

/** Returns the claims of a token whose signature and checks have passed already. */
function claimsOf(idToken: string | undefined): { sub: string } {
  const payload = idToken?.split('.').at(1) ?? ''
  return TokenClaims.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')))
}

/**
 * Returns whether the claims are sufficient. Some providers put only the id into the ID token, and the rest into the
 * answer of their userinfo endpoint.
 */
function isComplete(claims: Record<string, unknown>, { groupsClaim }: OidcSettings): boolean {
  return (claimOf(claims, groupsClaim) ?? null) !== null && claims.email !== undefined
}

/**
 * Returns the claims of both. Those of the token count, but the groups may be in a part that both have, and the user information may
 * have those that the token keeps in another place.
 */
export function joinedClaims<Token extends Record<string, unknown>>(
  token: Token,
  more: Record<string, unknown>,
  { groupsClaim }: Pick<OidcSettings, 'groupsClaim'>,
): Token {
  const own = claimOf(token, groupsClaim) ?? null
  const theirs = own === null ? (claimOf(more, groupsClaim) ?? null) : null
  return {
    ...more,
    ...token,
    ...(own !== null && { [groupsClaim]: own }),
    ...(theirs !== null && { [groupsClaim]: theirs, [elsewhere]: more[elsewhere] }),
  }
}

import { z } from 'zod'
import { Email } from '../domains/users/schemas'
import { isStorableText } from '../kernel/storable-text'
import type { OidcSettings } from './oidc-settings'

const text = z.string().refine(isStorableText)

const Claims = z.looseObject({
  iss: text.max(2_000),
  sub: text.min(1).max(255),
  email: Email.optional().catch(undefined),
  email_verified: z.literal(true).optional().catch(undefined),
  auth_time: z.int().min(0).optional().catch(undefined),
  name: text.trim().min(1).optional().catch(undefined),
  preferred_username: text.trim().min(1).optional().catch(undefined),
})

const mostGroups = 10_000
const Groups = z.union([
  z.string().transform((name) => [name]),
  z.array(z.string()).max(mostGroups),
])

/** Who the identity provider says this is. `email` may be anyone's unless `emailVerified`. */
export type OidcIdentity = {
  issuer: string
  subject: string
  email: string | null
  emailVerified: boolean
  name: string
  groups: ReadonlySet<string>
  /** When the provider last asked this person who they are, where it says so; never in the future. */
  authenticatedAt: Date | null
}

/** From the claims of an ID token that was checked already. Throws when it is no token of the configured issuer. */
export function oidcIdentity(claims: unknown, settings: OidcSettings): OidcIdentity {
  const found = Claims.parse(claims)
  if (found.iss !== settings.issuer) throw new Error('The ID token comes from another issuer.')
  const email = found.email ?? null
  const groups = Groups.safeParse(found[settings.groupsClaim])
  return {
    issuer: found.iss,
    subject: found.sub,
    email,
    emailVerified: email !== null && found.email_verified === true,
    name: (found.name ?? found.preferred_username ?? email ?? found.sub).slice(0, 100),
    groups: new Set(groups.success ? groups.data : []),
    authenticatedAt:
      found.auth_time === undefined ? null : new Date(Math.min(found.auth_time * 1000, Date.now())),
  }
}

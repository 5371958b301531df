import { env } from '../kernel/env'

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
  /** Their group -> name of ours. */
  groupMap: readonly { theirs: string; ours: string }[]
  linkByEmail: boolean
}

/** How people come in through the identity provider; null when there is none. The environment was checked at boot. */
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

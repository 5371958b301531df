import { randomUUID } from 'node:crypto'
import type { OidcSettings } from '@/lib/auth/oidc'
import { type OidcSignIn, signInWithOidc } from '@/lib/auth/sign-in-with-oidc'
import type { Ctx } from '@/lib/kernel/context'
import { db } from './fixture-db'

const settings: OidcSettings = {
  issuer: 'https://id.example.org',
  clientId: 'toolgate',
  clientSecret: 'x',
  name: 'Example ID',
  scopes: 'openid',
  groupsClaim: 'groups',
  linkByEmail: false,
  adminGroups: ['ops'],
  memberGroups: ['staff'],
  groupMap: [],
}

const origin = {
  ipAddress: null,
  userAgent: null,
  countedAddress: null,
  browserCookie: undefined,
}

/** Suspends a person by a sign-in whose token has no groups; returns the sign-in with these groups, which ends it. */
export async function suspendPerson({
  actor: { userId },
}: Ctx): Promise<(groups: unknown) => Promise<OidcSignIn>> {
  const sub = randomUUID()
  const data = { oidcIssuer: settings.issuer, oidcSubject: sub }
  await db().user.update({ where: { id: userId }, data })
  const enter = (groups: unknown) =>
    signInWithOidc({ iss: settings.issuer, sub, groups }, settings, origin)
  await enter(undefined)
  return enter
}

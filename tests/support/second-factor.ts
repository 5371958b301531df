import { generateSync } from 'otplib'
import { addPasskey, passkeyEnrolment } from '@/lib/auth/factors/enrol-passkey'
import type { EnrolledFactor } from '@/lib/auth/factors/second-factor'
import { beginTotp, confirmTotp, type TotpEnrolment } from '@/lib/auth/factors/totp'
import type { SignInOrigin } from '@/lib/auth/open-session'
import { SecondFactorWanted, signIn } from '@/lib/auth/sign-in'
import { createUser } from '@/lib/domains/users/verbs'
import { type Ctx, systemCtx } from '@/lib/kernel/context'
import type { Role } from '@/lib/protocol/tool'
import { db } from './fixture-db'
import { originAt } from './origin-at'
import { SoftwareAuthenticator, thisSite } from './software-authenticator'

export const password = 'violet gravel under seven moons'
let serial = 0

/** Somebody with a password who signed in with it, from an address of their own. */
export type Local = {
  userId: string
  email: string
  origin: SignInOrigin
  sessionId: string
  ctx: Ctx
}

export async function addSignedInPerson(role: Role = 'member'): Promise<Local> {
  serial += 1
  const email = `local-${serial}@example.org`
  const ipAddress = `198.18.${serial}.9`
  const { userId } = await createUser(systemCtx(), { email, name: 'Kim', role, password })
  const origin = originAt(ipAddress)
  const { sessionId } = await signIn({ email, password }, origin)
  const actor = { userId, email, role }
  const ctx: Ctx = { actor, via: 'console', ipAddress, waysOut: 'unchecked' }
  return { userId, email, origin, sessionId, ctx }
}

/** Adds an app as if its first code had been of five minutes ago, so that those of now are not used up. */
export async function addAuthenticatorApp(ctx: Ctx): Promise<TotpEnrolment & EnrolledFactor> {
  const begun = await beginTotp(ctx, {})
  const code = codeAt(begun.secret, new Date())
  const added = await confirmTotp(ctx, { appId: begun.appId, name: 'Phone', code })
  const stepsOfFiveMinutes = 10
  const data = { lastStep: { decrement: stepsOfFiveMinutes } }
  await db().totpApp.update({ where: { id: added.id }, data })
  return { ...begun, ...added }
}

/** Returns the code that the app shows at this moment. */
export function codeAt(secret: string, at: Date): string {
  return generateSync({ secret, epoch: Math.floor(at.getTime() / 1000) })
}

/** Does the password step of a sign-in, and returns the token of the sign-in that waits. */
export async function passwordStep({ email, origin }: Local): Promise<string> {
  const error = await signIn({ email, password }, origin).catch((thrown: unknown) => thrown)
  if (!(error instanceof SecondFactorWanted)) throw new Error(`No second factor asked: ${error}`)
  return error.token
}

export async function addOnePasskey({ ctx, sessionId }: Local, name = 'Laptop') {
  const authenticator = new SoftwareAuthenticator(thisSite)
  const answer = authenticator.create(await passkeyEnrolment(ctx, sessionId))
  const added = await addPasskey(ctx, { name, answer }, sessionId)
  return { authenticator, ...added }
}

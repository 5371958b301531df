'use server'
import { clientAddress, countedAddress } from '@toolgate/server/auth/client-address'
import { limitChallenges } from '@toolgate/server/auth/factors/limit-challenges'
import { type PasskeyRequest, passkeyRequest } from '@toolgate/server/auth/factors/verify-passkey'
import {
  dropPendingSignIn,
  pendingCookieName,
  readPendingSignIn,
} from '@toolgate/server/auth/pending-sign-in'
import { reportFailedSignIn } from '@toolgate/server/auth/report-refusal'
import { requirePasswordSignIn } from '@toolgate/server/domains/users/passwords'
import { UnauthenticatedError } from '@toolgate/server/kernel/errors'
import { cookies, headers } from 'next/headers'
import { type ActionResult, publicAction } from '@/lib/next/action'

/** Returns the request for a passkey that signs in without a password. Nobody is signed in yet. */
export async function passkeyToSignIn(): Promise<ActionResult<PasskeyRequest>> {
  return answer(async () => {
    await limitHere()
    return passkeyRequest({ purpose: 'sign-in', subject: '' })
  })
}

/** Returns the request for a passkey as the second step of a sign-in that this browser began with a password. */
export async function passkeyAsSecondFactor(): Promise<ActionResult<PasskeyRequest>> {
  return answer(async () => {
    const pending = await readPendingSignIn((await cookies()).get(pendingCookieName())?.value)
    if (!pending) {
      throw new UnauthenticatedError('This sign-in expired. Start again with your password.')
    }
    await limitHere()
    return passkeyRequest({ purpose: 'second-factor', subject: pending.id }, pending.userId)
  })
}

/** Gives up the sign-in that this browser began. */
export async function startAgain(): Promise<ActionResult<null>> {
  return answer(async () => {
    const jar = await cookies()
    const token = jar.get(pendingCookieName())?.value
    if (token) await dropPendingSignIn(token)
    jar.delete(pendingCookieName())
    return null
  })
}

/** Refuses challenges beyond what a person needs, and counts the refusals in the audit. */
async function limitHere(): Promise<void> {
  const requestHeaders = await headers()
  try {
    limitChallenges(countedAddress(requestHeaders))
  } catch (error) {
    reportFailedSignIn(error, null, { ipAddress: clientAddress(requestHeaders) })
    throw error
  }
}

function answer<T>(work: () => Promise<T>): Promise<ActionResult<T>> {
  return publicAction('/sign-in', () => {
    requirePasswordSignIn()
    return work()
  })
}

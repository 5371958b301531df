'use server'
import { cookies, headers } from 'next/headers'
import { clientAddress } from '@/lib/auth/client-address'
import { dropPendingSignIn, pendingCookieName, readPendingSignIn } from '@/lib/auth/pending-sign-in'
import { reportForbidden } from '@/lib/auth/report-refusal'
import { requireSameOrigin } from '@/lib/auth/require-same-origin'
import { type PasskeyRequest, passkeyRequest } from '@/lib/auth/verify-passkey'
import { requirePasswordSignIn } from '@/lib/domains/users/passwords'
import type { ActionResult } from '@/lib/kernel/action'
import { describeError } from '@/lib/kernel/describe-error'
import { UnauthenticatedError } from '@/lib/kernel/errors'

/** Returns the request for a passkey that signs in without a password. Nobody is signed in yet. */
export async function passkeyToSignIn(): Promise<ActionResult<PasskeyRequest>> {
  return answer(() => passkeyRequest({ purpose: 'sign-in', subject: '' }))
}

/** Does the same for the second step of a sign-in that this browser began with a password. */
export async function passkeyAsSecondFactor(): Promise<ActionResult<PasskeyRequest>> {
  return answer(async () => {
    const pending = await readPendingSignIn((await cookies()).get(pendingCookieName())?.value)
    if (!pending) {
      throw new UnauthenticatedError('This sign-in expired. Start again with your password.')
    }
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

async function answer<T>(work: () => Promise<T>): Promise<ActionResult<T>> {
  try {
    requireSameOrigin(await headers())
    requirePasswordSignIn()
    return { ok: true, value: await work() }
  } catch (error) {
    const ipAddress = clientAddress(await headers())
    reportForbidden(error, null, { type: 'link', name: '/sign-in' }, { ipAddress })
    const { code, message } = describeError(error, 'sign-in')
    return { ok: false, error: { code, message } }
  }
}

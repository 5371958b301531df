'use server'
import { headers } from 'next/headers'
import { clientAddress } from '@/lib/auth/client-address'
import { reportForbidden } from '@/lib/auth/report-refusal'
import { requireSameOrigin } from '@/lib/auth/require-same-origin'
import { completeSetup } from '@/lib/domains/users/complete-setup'
import type { FirstAdmin } from '@/lib/domains/users/schemas'
import { describeError } from '@/lib/kernel/describe-error'

export type SetupAnswer =
  | { ok: true }
  | { ok: false; message: string; fields: Record<string, string> }

/** The one action nobody is signed in for: the token is what allows it. */
export async function createFirstAdmin(token: string, input: FirstAdmin): Promise<SetupAnswer> {
  const ipAddress = clientAddress(await headers())
  try {
    requireSameOrigin(await headers())
    await completeSetup(String(token), input, ipAddress)
    return { ok: true }
  } catch (error) {
    reportForbidden(error, null, { type: 'link', name: '/setup' }, { ipAddress })
    const { message, fields } = describeError(error, 'setup')
    return { ok: false, message: fields ? '' : message, fields: fields ?? {} }
  }
}

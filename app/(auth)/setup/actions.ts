'use server'
import { headers } from 'next/headers'
import { clientAddress } from '@/lib/auth/client-address'
import { reportForbidden } from '@/lib/auth/report-refusal'
import { requireSameOrigin } from '@/lib/auth/require-same-origin'
import { completeSetup } from '@/lib/domains/users/complete-setup'
import type { FirstAdmin } from '@/lib/domains/users/schemas'
import type { ActionResult } from '@/lib/kernel/action'
import { describeError } from '@/lib/kernel/describe-error'

/** The one action nobody is signed in for: the token is what allows it. */
export async function createFirstAdmin(
  token: string,
  input: FirstAdmin,
): Promise<ActionResult<null>> {
  const ipAddress = clientAddress(await headers())
  try {
    requireSameOrigin(await headers())
    await completeSetup(String(token), input, ipAddress)
    return { ok: true, value: null }
  } catch (error) {
    reportForbidden(error, null, { type: 'link', name: '/setup' }, { ipAddress })
    const { code, message, fields } = describeError(error, 'setup')
    return { ok: false, error: { code, message, ...(fields && { fields }) } }
  }
}

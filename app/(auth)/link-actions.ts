'use server'
import { headers } from 'next/headers'
import { clientAddress } from '@/lib/auth/client-address'
import { reportForbidden } from '@/lib/auth/report-refusal'
import { requireSameOrigin } from '@/lib/auth/require-same-origin'
import { acceptAccountLink } from '@/lib/domains/users/account-links'
import type { FirstAdmin, NewPassword } from '@/lib/domains/users/schemas'
import { completeSetup } from '@/lib/domains/users/setup'
import type { ActionResult } from '@/lib/kernel/action'
import { describeError } from '@/lib/kernel/describe-error'

/** Adds the first admin. The token of the set-up link allows it, because nobody can sign in yet. */
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

/** Sets the password that a one-time link asks for. Its token allows it, because the person cannot sign in yet. */
export async function acceptLink(
  token: string,
  input: NewPassword,
): Promise<ActionResult<{ email: string }>> {
  const ipAddress = clientAddress(await headers())
  try {
    requireSameOrigin(await headers())
    const { email } = await acceptAccountLink(String(token), input, ipAddress)
    return { ok: true, value: { email } }
  } catch (error) {
    reportForbidden(error, null, { type: 'link', name: '/invite' }, { ipAddress })
    const { code, message, fields } = describeError(error, 'invite')
    return { ok: false, error: { code, message, ...(fields && { fields }) } }
  }
}

'use server'
import { headers } from 'next/headers'
import { clientAddress } from '@/lib/auth/client-address'
import { reportForbidden } from '@/lib/auth/report-refusal'
import { requireSameOrigin } from '@/lib/auth/require-same-origin'
import { acceptAccountLink } from '@/lib/domains/users/accept-account-link'
import type { NewPassword } from '@/lib/domains/users/new-password'
import { describeError } from '@/lib/kernel/describe-error'

export type LinkAnswer =
  | { ok: true; email: string }
  | { ok: false; message: string; fields: Record<string, string> }

/** Nobody is signed in yet: the token is what allows it. */
export async function acceptLink(token: string, input: NewPassword): Promise<LinkAnswer> {
  const ipAddress = clientAddress(await headers())
  try {
    requireSameOrigin(await headers())
    const { email } = await acceptAccountLink(String(token), input, ipAddress)
    return { ok: true, email }
  } catch (error) {
    reportForbidden(error, null, { type: 'link', name: '/invite' }, { ipAddress })
    const { message, fields } = describeError(error, 'invite')
    return { ok: false, message: fields ? '' : message, fields: fields ?? {} }
  }
}

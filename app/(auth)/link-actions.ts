'use server'
import { acceptAccountLink } from '@toolgate/server/domains/users/account-links'
import type { FirstAdmin, NewPassword } from '@toolgate/server/domains/users/schemas'
import { completeSetup } from '@toolgate/server/domains/users/setup'
import { publicAction } from '@/lib/next/action'

/** Adds the first admin. The token of the set-up link allows it, because nobody can sign in yet. */
export async function createFirstAdmin(token: string, input: FirstAdmin) {
  return publicAction('/setup', async (ipAddress) => {
    await completeSetup(String(token), input, ipAddress)
    return null
  })
}

/** Sets the password that a one-time link asks for. Its token allows it, because the person cannot sign in yet. */
export async function acceptLink(token: string, input: NewPassword) {
  return publicAction('/invite', (ipAddress) => acceptAccountLink(String(token), input, ipAddress))
}

import 'server-only'
import { type AccountKey, openAccount, ownerOf } from '@/lib/domains/servers/accounts'
import type { StoredServer } from '@/lib/domains/servers/stored'
import { ServerError } from '@/lib/engines/mcp/transport/server-address'
import { db } from '@/lib/kernel/db'
import { accessToken, askForScopes, refuseAccount, renewRefused } from './tokens'

/** The account that a connection is made with. `token` is asked before each request. */
export type UsedAccount = { id: string; key: AccountKey; token: () => Promise<string> }

/** Returns the account that a person uses a server with; null = it is used with none. Throws ServerError when it is missing. */
export async function accountFor(row: StoredServer, userId: string): Promise<UsedAccount | null> {
  const owner = ownerOf(row.account, userId)
  if (owner === null) return null
  const key = { serverId: row.id, owner }
  const found = await db().connectedAccount.findUnique({ where: { serverId_owner: key } })
  if (!found?.usable) {
    const whose = row.account === 'person' ? 'your own account' : 'the account of this site'
    throw new ServerError('sign-in', `Connect ${whose} at ${row.name} first.`)
  }
  return { id: found.id, key, token: () => accessToken(key, found.id) }
}

/** Returns whether a failure is about the account, and not about the server. */
export function isAboutAccount(error: unknown): error is ServerError {
  return error instanceof ServerError && (error.code === 'sign-in' || error.code === 'scope')
}

/**
 * Returns whether a failed call can be sent again, because the server did not accept the token and there is another one now. Throws
 * ServerError in words when its person has to do something first.
 */
export async function isRenewed(error: unknown, account: UsedAccount): Promise<boolean> {
  if (!isAboutAccount(error)) return false
  const { key, id } = account
  if (error.code === 'scope') {
    throw new ServerError('scope', await askForScopes(key, id, error.challenge?.scope ?? null))
  }
  await renewRefused(key, id)
  return true
}

/** Marks an account whose new token the server does not accept either. Other failures say nothing about it. */
export async function noteRefused(error: unknown, { key, id }: UsedAccount): Promise<void> {
  if (!isAboutAccount(error) || error.code !== 'sign-in') return
  const account = await openAccount(db(), key)
  if (account?.id === id) await refuseAccount(account, 'The server did not accept a new token.')
}

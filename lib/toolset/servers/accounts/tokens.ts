import 'server-only'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AccountKey,
  type AccountSecret,
  type OpenedAccount,
  openAccount,
  renewAccount,
  scopesIn,
} from '@/lib/domains/servers/accounts'
import { requireServer, type StoredServer } from '@/lib/domains/servers/stored'
import { guardedDocuments } from '@/lib/engines/mcp/sign-in/guarded-documents'
import { SignInError } from '@/lib/engines/mcp/sign-in/sign-in-error'
import { clientCredentials, refreshTokens, revoke } from '@/lib/engines/mcp/sign-in/token-requests'
import { ServerError } from '@/lib/engines/mcp/transport/server-address'
import { db, unaudited, withTransaction } from '@/lib/kernel/db'
import { log } from '@/lib/kernel/log'
import { signInSiteOf } from './sign-in-site'

/** A token is renewed this long before it ends, so that it does not end on its way. */
const earlyMs = 60_000
/** One process renews an account; after this time another one may, because the first may have ended. */
const renewalMs = 40_000
const lookAgainMs = 200
const mostWanted = 20
/** A call that was sent before a token was renewed is refused within this time. */
const justNowMs = 5_000
const mostStepUps = 3

const why = 'tokens of accounts at servers, which nobody changes'

/**
 * Returns the token that a call is sent with. Renews it when it ends soon; while that fails, or another process does it, one that
 * has not ended yet is used. Throws ServerError (`sign-in`) when the person has to sign in again, and when none can be got now. `id`:
 * the account that a connection was made with, whose address gets no token of a later one.
 */
export async function accessToken(key: AccountKey, id?: string): Promise<string> {
  const account = await requireUsable(key, id)
  const { expiresAt, opened } = account
  if (expiresAt === null || expiresAt.getTime() - Date.now() > earlyMs)
    return opened.tokens.accessToken
  if (expiresAt.getTime() <= Date.now()) return renewed(key, account)
  if (await claim(account)) {
    const fresh = await renewNow(key, account).catch(ignoringUnreachable)
    if (fresh !== null) return fresh
  }
  return opened.tokens.accessToken
}

/** Renews the token that a server did not accept, unless it was renewed just now. Throws as `accessToken` does. */
export async function renewRefused(key: AccountKey, id: string): Promise<void> {
  const account = await requireUsable(key, id)
  const age = Date.now() - (account.refreshedAt ?? account.connectedAt).getTime()
  if (age > justNowMs) await renewed(key, account)
}

async function requireUsable(key: AccountKey, id?: string): Promise<OpenedAccount> {
  const account = await openAccount(db(), key)
  if (account?.usable && (id === undefined || account.id === id)) return account
  const words =
    'The account for this server is not connected. Whose it is has to sign in there again.'
  throw new ServerError('sign-in', words)
}

/** Renews an account, or waits for the process that does. */
async function renewed(key: AccountKey, before: OpenedAccount): Promise<string> {
  const until = Date.now() + renewalMs
  for (let account = before; Date.now() < until; account = await requireUsable(key, before.id)) {
    if (account.generation !== before.generation) return account.opened.tokens.accessToken
    if (await claim(account)) return renewNow(key, account)
    await sleep(lookAgainMs)
  }
  const words = 'The service that signs in for this server does not answer. Try again later.'
  throw new ServerError('unreachable', words)
}

/** Returns whether this process alone renews the account now. No lock is held while the issuer is waited for. */
async function claim({ id, generation }: OpenedAccount): Promise<boolean> {
  const now = new Date()
  const { count } = await unaudited(db(), why).connectedAccount.updateMany({
    where: {
      id,
      generation,
      usable: true,
      OR: [{ refreshUntil: null }, { refreshUntil: { lt: now } }],
    },
    data: { refreshUntil: new Date(now.getTime() + renewalMs) },
  })
  return count === 1
}

async function renewNow(key: AccountKey, account: OpenedAccount): Promise<string> {
  const { id, generation, serverId } = account
  try {
    const server = await requireServer(db(), serverId)
    const fresh = await askForTokens(server, account)
    const isStored = await withTransaction((tx) => renewAccount(unaudited(tx, why), account, fresh))
    if (isStored) return fresh.tokens.accessToken
    const now = await openAccount(db(), key)
    if (!now) await revokeLate(server, account, fresh)
    return (await requireUsable(key, id)).opened.tokens.accessToken
  } catch (error) {
    if (error instanceof SignInError) {
      const { code, message, log: said } = error
      log.warn({ source: 'servers', serverId, code, said }, 'A token could not be renewed.')
      // An issuer that cannot read the document of this installation now may read it later.
      const mayPass =
        code === 'client-refused' && account.opened.identity?.way === 'metadata-document'
      if (endsAccount.has(code) && !mayPass) {
        await refuseAccount(account, message)
        throw new ServerError('sign-in', message)
      }
      await release(id, generation)
      throw new ServerError('unreachable', message)
    }
    await release(id, generation)
    throw error
  }
}

/** Revokes tokens that came after their account was disconnected. */
async function revokeLate(
  server: StoredServer,
  { issuer }: OpenedAccount,
  { tokens, identity }: AccountSecret,
): Promise<void> {
  if (issuer === null || identity === null) return
  const site = await signInSiteOf(server)
  await revoke(site, guardedDocuments(site), { issuer, identity, tokens })
}

/** Errors after which only a person can get new tokens. */
const endsAccount: ReadonlySet<string> = new Set([
  'refused',
  'client-refused',
  'next-way',
  'issuer',
  'register-a-client',
])

async function askForTokens(
  server: StoredServer,
  { issuer, resource, opened }: OpenedAccount,
): Promise<AccountSecret> {
  const { tokens, identity } = opened
  const site = await signInSiteOf(server)
  const fetch = guardedDocuments({ privateAllowed: site.privateAllowed })
  if (server.account === 'client') {
    const { tokens: fresh } = await clientCredentials(site, fetch, { scope: tokens.scope })
    return { tokens: fresh, identity: null }
  }
  if (issuer === null || identity === null || tokens.refreshToken === null) {
    const words = 'The sign-in at this server has ended and cannot be renewed. Sign in again.'
    throw new SignInError('refused', words)
  }
  const fresh = await refreshTokens(site, fetch, { issuer, identity, resource, tokens })
  return { tokens: fresh, identity }
}

async function release(id: string, generation: number): Promise<void> {
  const client = unaudited(db(), why)
  await client.connectedAccount.updateMany({
    where: { id, generation },
    data: { refreshUntil: null },
  })
}

/** Marks an account as refused, so that the gate says who has to sign in again. */
export async function refuseAccount(
  { id, generation }: Pick<OpenedAccount, 'id' | 'generation'>,
  trouble: string,
): Promise<void> {
  await unaudited(db(), why).connectedAccount.updateMany({
    where: { id, generation },
    data: { usable: false, trouble, refreshUntil: null },
  })
}

/**
 * Notes the scopes that a call was refused for. The next sign-in asks for them, at most three times. Returns what the person has to
 * do, as a sentence.
 */
export async function askForScopes(
  key: AccountKey,
  id: string,
  scope: string | null,
): Promise<string> {
  const account = await requireUsable(key, id)
  const missing = scopesIn(scope).filter((each) => !account.scopes.includes(each))
  const named = missing.length === 0 ? '' : ` (${missing.join(', ').slice(0, 300)})`
  if (account.stepUps >= mostStepUps) {
    return `The server asked for more rights${named} again after ${mostStepUps} sign-ins, so it is not asked any more. Disconnect the account, or ask whoever runs the server.`
  }
  await unaudited(db(), why).connectedAccount.updateMany({
    where: { id: account.id },
    data: {
      wantedScopes: [...new Set([...account.wantedScopes, ...missing])].slice(0, mostWanted),
    },
  })
  return `The connected account lacks rights for this${named}. Whose it is can connect it again and allow them.`
}

/** Returns null for an issuer that does not answer now. Rethrows everything else. */
function ignoringUnreachable(error: unknown): null {
  if (error instanceof ServerError && error.code === 'unreachable') return null
  throw error
}

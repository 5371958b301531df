import { z } from 'zod'
import { openSecret, replaceSecret, storeSecret } from '@/lib/domains/vault/secrets'
import type { ConnectedAccount, Prisma } from '@/lib/generated/prisma/client'
import type { ChangeTx, Tx } from '@/lib/kernel/db'
import { ConflictError } from '@/lib/kernel/errors'
import type { ServerAccount } from './shape'
import type { StoredServer } from './stored'

/** The owner of an account that all people of this site use. */
export const siteOwner = 'site'

/** Returns whose account a person's calls are made with; null = with none. */
export function ownerOf(account: ServerAccount, userId: string | null): string | null {
  if (account === 'none') return null
  return account === 'person' ? userId : siteOwner
}

/** The tokens of an account, with the client that they were given to. Sealed, and opened only where they are sent. */
const AccountSecret = z.object({
  tokens: z.object({
    accessToken: z.string(),
    refreshToken: z.string().nullable(),
    scope: z.string().nullable(),
    expiresAt: z.coerce.date().nullable(),
    tokenType: z.literal('Bearer'),
  }),
  /** Null = a person brought the token, so nothing renews it. */
  identity: z
    .object({
      clientId: z.string(),
      clientSecret: z.string().nullable(),
      way: z.enum(['entered', 'metadata-document', 'registered']),
      authMethod: z.string().optional(),
      expiresAt: z.coerce.date().nullable().optional(),
    })
    .nullable(),
})
export type AccountSecret = z.output<typeof AccountSecret>

const purpose = 'connected-account'

/** An account with its tokens. */
export type OpenedAccount = ConnectedAccount & { opened: AccountSecret }

export type AccountKey = { serverId: string; owner: string }

/** Returns an account with its tokens; null = there is none. */
export async function openAccount(client: Tx, key: AccountKey): Promise<OpenedAccount | null> {
  const row = await client.connectedAccount.findUnique({ where: { serverId_owner: key } })
  if (!row) return null
  const opened = AccountSecret.parse(JSON.parse(await openSecret(client, row.secretId)))
  return { ...row, opened }
}

export type NewAccount = AccountSecret & {
  owner: string
  userId: string
  issuer: string | null
  resource: string
  by: string
  stepUps?: number
}

/**
 * Stores an account in the place of the one that its owner had. Throws ConflictError when the server leads elsewhere by now or is used
 * with other accounts, or when the person may not sign in any more.
 */
export async function storeAccount(
  tx: ChangeTx,
  server: Pick<StoredServer, 'id' | 'url' | 'account'>,
  { owner, userId, issuer, resource, by, stepUps = 0, tokens, identity }: NewAccount,
): Promise<void> {
  const serverId = server.id
  // A change of the server or of the person waits until this is stored, and then ends it.
  const [still] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM servers s, users u WHERE s.id = ${serverId}::uuid AND s.url = ${server.url}
      AND s.account = ${server.account}::"ServerAccount" AND u.id = ${userId}::uuid
      AND u."disabledAt" IS NULL AND u."deletedAt" IS NULL FOR SHARE`
  if (!still) throw new ConflictError('The server was changed meanwhile. Connect again.')
  await endAccounts(tx, { serverId, owner })
  const plaintext = JSON.stringify({ tokens, identity })
  const { id: secretId } = await storeSecret(tx, { purpose, plaintext, hidden: true })
  const data = {
    serverId,
    owner,
    userId: owner === siteOwner ? null : userId,
    issuer,
    resource,
    scopes: scopesIn(tokens.scope),
    expiresAt: tokens.expiresAt,
    secretId,
    stepUps,
    connectedByLabel: by,
  }
  await tx.connectedAccount.create({ data })
}

/**
 * Stores new tokens of an account. Returns false, and stores nothing, when it got other ones since `generation`, or ended.
 */
export async function renewAccount(
  tx: ChangeTx,
  { id, generation, secretId }: Pick<ConnectedAccount, 'id' | 'generation' | 'secretId'>,
  secret: AccountSecret,
): Promise<boolean> {
  const { expiresAt, scope } = secret.tokens
  const { count } = await tx.connectedAccount.updateMany({
    where: { id, generation },
    data: {
      generation: { increment: 1 },
      refreshUntil: null,
      refreshedAt: new Date(),
      expiresAt,
      ...(scope !== null && { scopes: scopesIn(scope) }),
    },
  })
  if (count === 0) return false
  await replaceSecret(tx, secretId, JSON.stringify(secret), { hidden: true })
  return true
}

export function scopesIn(scope: string | null): string[] {
  return scope === null ? [] : [...new Set(scope.split(' ').filter(Boolean))]
}

/** Deletes accounts with their tokens. */
export async function endAccounts(
  tx: ChangeTx,
  where: Prisma.ConnectedAccountWhereInput,
): Promise<void> {
  // The accounts go with their secrets.
  await tx.vaultSecret.deleteMany({ where: { connectedAccount: where } })
}

/** Forgets what issuers know this installation as, for one server, and the sign-ins that were begun there. */
export async function forgetClients(tx: ChangeTx, serverId: string): Promise<void> {
  await tx.vaultSecret.deleteMany({ where: { serverRegistration: { serverId } } })
  await tx.vaultSecret.deleteMany({ where: { accountRequest: { serverId } } })
  await tx.serverClient.deleteMany({ where: { serverId } })
}

type Changed = Partial<{
  url: string | null
  account: ServerAccount
  clientId: string | null
  clientSecret: string | null
}>

/** Ends the accounts of a server that leads elsewhere, or is used with other accounts or as another client, from now on. */
export async function endOtherAccounts(tx: ChangeTx, id: string, changed: Changed): Promise<void> {
  const before = await tx.server.findUnique({ where: { id } })
  if (!before) return
  const isOther = (name: 'url' | 'account' | 'clientId') =>
    changed[name] !== undefined && changed[name] !== before[name]
  const isOtherClient = isOther('clientId') || changed.clientSecret !== undefined
  if (!isOther('url') && !isOther('account') && !isOtherClient) return
  await endAccounts(tx, { serverId: id })
  await forgetClients(tx, id)
}

import 'server-only'
import { z } from 'zod'
import { endAccounts, openAccount, siteOwner, storeAccount } from '@/lib/domains/servers/accounts'
import { servers } from '@/lib/domains/servers/shape'
import { requireServer } from '@/lib/domains/servers/stored'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { guardedDocuments } from '@/lib/engines/mcp/sign-in/guarded-documents'
import { revoke } from '@/lib/engines/mcp/sign-in/token-requests'
import type { ConnectedAccount, Prisma } from '@/lib/generated/prisma/client'
import { auditLabel } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { signInSiteOf } from './sign-in-site'

/** An account at a server, without its tokens. Times are ISO text. */
export const Account = z.object({
  /** Null = the account of the site. */
  person: z.object({ id: z.string(), email: z.string(), name: z.string() }).nullable(),
  /** False = whose it is has to sign in again; `trouble` says why. */
  usable: z.boolean(),
  trouble: z.string(),
  issuer: z.string().nullable(),
  scopes: z.array(z.string()),
  /** Rights that calls were refused for, and that the next sign-in asks for. */
  wantedScopes: z.array(z.string()),
  connectedBy: z.string(),
  connectedAt: z.string(),
  renewedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
})
export type Account = z.output<typeof Account>

const withPerson = {
  user: { select: { id: true, email: true, name: true } },
} as const satisfies Prisma.ConnectedAccountInclude
type Row = ConnectedAccount & { user: Account['person'] }

function shown(row: Row): Account {
  const { user, usable, trouble, issuer, scopes, wantedScopes } = row
  return {
    person: user,
    usable,
    trouble,
    issuer,
    scopes,
    wantedScopes,
    connectedBy: row.connectedByLabel,
    connectedAt: row.connectedAt.toISOString(),
    renewedAt: row.refreshedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
  }
}

/** A server that a person has, or can have, an account at. */
export const OwnAccount = z.object({
  server: z.string(),
  url: z.string().nullable(),
  account: Account.nullable(),
})
export type OwnAccount = z.output<typeof OwnAccount>

export const listOwnAccounts = verb({
  name: 'connected-account.list',
  role: 'member',
  scope: 'accounts:read',
  summary:
    'Lists the MCP servers that people use with their own accounts, with that of the caller.',
  input: z.object({}),
  output: z.array(OwnAccount),
  transaction: false,
  run: async ({ actor }) => {
    const rows = await db().server.findMany({
      where: { account: 'person', enabled: true },
      select: {
        name: true,
        url: true,
        accounts: { where: { owner: actor.userId }, include: withPerson },
      },
      orderBy: { name: 'asc' },
    })
    return rows.map(({ name, url, accounts: [own] }) => ({
      server: name,
      // Path and query may hold a key of the site.
      url: url === null ? null : new URL(url).origin,
      account: own ? shown(own) : null,
    }))
  },
})

export const listServerAccounts = verb({
  name: 'connected-account.list-of-server',
  role: 'admin',
  scope: servers.scopes.read,
  summary:
    'Lists the accounts at one MCP server: of the site, or of its people. Tokens are never shown.',
  input: z.object({ id: z.string() }),
  output: z.array(Account),
  transaction: false,
  run: async (_context, { id }) => {
    const { id: serverId } = await requireServer(db(), id)
    const rows = await db().connectedAccount.findMany({
      where: { serverId },
      include: withPerson,
      orderBy: { connectedAt: 'asc' },
    })
    return rows.map(shown)
  },
})

/** `of`: the caller, the site, everybody with an account there, or the e-mail address of one person. */
const Disconnect = z.object({
  server: z.string().min(1).max(200),
  of: z.string().min(1).max(320).default('me'),
})
/** Number of accounts that ended, and of those whose issuer was told and agreed. */
const Disconnected = z.object({ ended: z.int(), revoked: z.int() })

export const disconnectAccounts = verb({
  name: 'connected-account.disconnect',
  role: 'member',
  scope: 'accounts:write',
  summary:
    'Ends accounts at an MCP server: their tokens are deleted here, and revoked there where the service can.',
  input: Disconnect,
  output: Disconnected,
  transaction: 'later',
  run: async ({ ctx, actor, change }, { server: reference, of }) => {
    if (of !== 'me' && actor.role !== 'admin') throw new ForbiddenError()
    if (of !== 'me' && ctx.apiKeyId !== undefined)
      throw new ForbiddenError('An API key ends the account of its owner alone.')
    const server = await requireServer(db(), reference).catch((error: unknown) => {
      if (actor.role === 'admin') throw error
      throw new NotFoundError('The server')
    })
    const { id: serverId, name } = server
    const where = { serverId, ...(await ownedBy(actor.userId, of)) }
    const rows = await db().connectedAccount.findMany({ where, include: withPerson })
    // A member learns nothing of servers that they have no account at.
    const isHidden = !server.enabled || server.account !== 'person'
    if (rows.length === 0 && actor.role !== 'admin' && isHidden)
      throw new NotFoundError('The server')
    if (rows.length === 0) return change(async () => unchanged({ ended: 0, revoked: 0 }))
    const opened = await Promise.all(
      rows.map(({ owner }) => openAccount(db(), { serverId, owner }).catch(() => null)),
    )
    await change(async (tx) => {
      await endAccounts(tx, { id: { in: rows.map(({ id }) => id) } })
      const accounts = rows.map(({ user }) => user?.email ?? 'the site')
      return changed(undefined, { subject: serverId, before: { name, accounts } })
    })
    const site = await signInSiteOf(server)
    const documents = guardedDocuments(site)
    const told = await Promise.all(
      opened.map(async (account) => {
        if (!account?.issuer) return false
        const { issuer, opened: secret } = account
        const { identity, tokens } = secret
        if (identity === null) return false
        return (await revoke(site, documents, { issuer, identity, tokens })) === 'revoked'
      }),
    )
    return { ended: rows.length, revoked: told.filter(Boolean).length }
  },
})

async function ownedBy(userId: string, of: string): Promise<Prisma.ConnectedAccountWhereInput> {
  if (of === 'me') return { owner: userId }
  if (of === 'everybody') return {}
  if (of === 'site') return { owner: siteOwner }
  const user = await db().user.findFirst({ where: { email: of.toLowerCase(), deletedAt: null } })
  if (!user) throw new NotFoundError('The person')
  return { owner: user.id }
}

/** A token that the caller got elsewhere. Nothing renews it. */
const Deposit = z.object({
  server: z.string().min(1).max(200),
  accessToken: z
    .string()
    .min(1, 'Give the token.')
    .max(16_000, 'A token has at most 16,000 characters.')
    .regex(/^[\x21-\x7e]+$/, 'A token has no spaces and no other characters than a header takes.'),
  expiresAt: z.iso.datetime({ offset: true }).nullable().default(null),
  scope: z.string().max(4_000).nullable().default(null),
})

export const depositToken = verb({
  name: 'connected-account.deposit',
  role: 'member',
  scope: 'accounts:write',
  summary: 'Stores a token that the caller got elsewhere as their own account at an MCP server.',
  input: Deposit,
  output: Account,
  // A stored token decides which account the runs of a person write to.
  needsReauthentication: () => true,
  run: async ({ tx, ctx, actor }, { server: reference, accessToken, expiresAt, scope }) => {
    const server = await requireServer(tx, reference).catch(() => null)
    if (!server?.enabled || server.account !== 'person') throw new NotFoundError('The server')
    const ends = expiresAt === null ? null : new Date(expiresAt)
    if (ends !== null && ends.getTime() <= Date.now())
      throw new ValidationError({ expiresAt: 'The token has ended already.' })
    const tokens = {
      accessToken,
      refreshToken: null,
      scope,
      expiresAt: ends,
      tokenType: 'Bearer' as const,
    }
    const { id: serverId, name, url } = server
    const owner = actor.userId
    await storeAccount(tx, server, {
      owner,
      userId: owner,
      issuer: null,
      resource: url ?? '',
      by: auditLabel(ctx),
      tokens,
      identity: null,
    })
    const key = { serverId_owner: { serverId, owner } }
    const row = await tx.connectedAccount.findUniqueOrThrow({ where: key, include: withPerson })
    return changed(shown(row), { subject: serverId, after: { name, owner, scope, expiresAt } })
  },
})

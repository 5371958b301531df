import 'server-only'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { siteOwner, storeAccount } from '@/lib/domains/servers/accounts'
import { ServerAccount } from '@/lib/domains/servers/shape'
import { requireServer, type StoredServer } from '@/lib/domains/servers/stored'
import { openSecret, storeSecret } from '@/lib/domains/vault/secrets'
import { changed, verb } from '@/lib/edge/verb'
import { guardedDocuments } from '@/lib/engines/mcp/sign-in/guarded-documents'
import { beginSignIn, finishSignIn } from '@/lib/engines/mcp/sign-in/sign-in'
import { SignInError } from '@/lib/engines/mcp/sign-in/sign-in-error'
import type { Pending } from '@/lib/engines/mcp/sign-in/site'
import { clientCredentials } from '@/lib/engines/mcp/sign-in/token-requests'
import { auditLabel, type Ctx } from '@/lib/kernel/context'
import { db, unaudited } from '@/lib/kernel/db'
import {
  AppError,
  ConflictError,
  ForbiddenError,
  NotFoundError,
  ValidationError,
} from '@/lib/kernel/errors'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'
import { signInSiteOf } from './sign-in-site'

const lastsMs = 10 * 60_000
const purpose = 'account-request'

/** Which account of a server: the caller's own, or that of the site, which is for admins. */
const Which = z.object({ server: z.string().min(1).max(200), for: z.enum(['me', 'site']) })

/**
 * Next address of the browser. `host` is shown before it goes there; null: there is nobody to ask, and the account is connected.
 * `scopes`: rights that are asked for.
 */
const Begun = z.object({
  next: z.object({ url: z.string(), host: z.string(), scopes: z.array(z.string()) }).nullable(),
})

export const connectAccount = verb({
  name: 'connected-account.connect',
  role: 'member',
  scope: null,
  summary: 'Begins a sign-in at an MCP server, in the browser of whose account it will be.',
  input: Which,
  output: Begun,
  needsReauthentication: ({ for: whose }) => whose === 'site',
  transaction: 'later',
  run: async ({ ctx, change }, { server: reference, for: whose }) => {
    const server = await requireConnectable(ctx, reference, whose)
    const { id: serverId, name } = server
    const owner = whose === 'site' ? siteOwner : ctx.actor.userId
    const { userId } = ctx.actor
    const by = auditLabel(ctx)
    if (server.account === 'client') {
      const found = await said(serverId, async () => {
        const site = await signInSiteOf(server)
        return clientCredentials(site, guardedDocuments(site))
      })
      const { issuer, resource, tokens } = found
      const identity = null
      return change(async (tx) => {
        await storeAccount(tx, server, { owner, userId, issuer, resource, by, tokens, identity })
        return changed({ next: null }, { subject: serverId, after: { name, owner, issuer } })
      })
    }
    const { sessionId } = ctx
    if (sessionId === undefined) throw new ForbiddenError('Only a browser can sign in.')
    const before = await db().connectedAccount.findUnique({
      where: { serverId_owner: { serverId, owner } },
    })
    const wanted = before && before.wantedScopes.length > 0 ? before : null
    const scope = wanted && [...new Set([...wanted.scopes, ...wanted.wantedScopes])].join(' ')
    const { authorizationUrl, pending } = await said(serverId, async () => {
      const site = await signInSiteOf(server)
      return beginSignIn(site, guardedDocuments(site), scope === null ? {} : { scope })
    })
    const stateHash = hashOf(pending.state)
    return change(async (tx) => {
      await dropOld(tx, { serverId, owner, sessionId })
      const stepUps = wanted ? wanted.stepUps + 1 : 0
      const { url, account, clientId } = server
      const plaintext = JSON.stringify({ pending, stepUps, server: { url, account, clientId } })
      const { id: secretId } = await storeSecret(tx, { purpose, plaintext, hidden: true })
      const expiresAt = new Date(Date.now() + lastsMs)
      const data = { stateHash, serverId, owner, userId, sessionId, secretId, expiresAt }
      await tx.accountRequest.create({ data: { id: newId(), ...data } })
      const { host } = authorizationUrl
      const scopes = pending.scope?.split(' ').filter(Boolean) ?? []
      return {
        output: { next: { url: authorizationUrl.href, host, scopes } },
        // The sign-in that ends it is what the audit keeps.
        changes: [],
      }
    })
  },
})

type Writing = ReturnType<typeof unaudited>

/** Deletes sign-ins that ended, and an earlier one of this browser for the same account. */
async function dropOld(
  tx: Pick<Writing, 'vaultSecret'>,
  same: { serverId: string; owner: string; sessionId: string },
): Promise<void> {
  const accountRequest = { OR: [{ expiresAt: { lt: new Date() } }, same] }
  await tx.vaultSecret.deleteMany({ where: { accountRequest } })
}

async function requireConnectable(
  { actor }: Ctx,
  reference: string,
  whose: 'me' | 'site',
): Promise<StoredServer> {
  if (whose === 'site' && actor.role !== 'admin') throw new ForbiddenError()
  const server = await requireServer(db(), reference)
  const fits = whose === 'me' ? ofPeople : ofSite
  // A member learns nothing of servers that they have no account at.
  if (actor.role !== 'admin' && (!server.enabled || server.account !== 'person'))
    throw new NotFoundError('The server')
  if (fits.has(server.account)) return server
  throw new ValidationError({ server: 'This server is not used with such an account.' })
}

const ofPeople: ReadonlySet<ServerAccount> = new Set(['person'])
const ofSite: ReadonlySet<ServerAccount> = new Set(['site', 'client'])

/** End of a sign-in, for the page that the browser goes back to. */
export type FinishedSignIn =
  | { type: 'connected'; serverId: string; owner: string }
  /** The link belongs to another browser session, was used before, or is too old. Nothing happened. */
  | { type: 'foreign' }
  | { type: 'failed'; serverId: string; owner: string; code: SignInError['code'] }

const Kept = z.object({
  pending: z.custom<Pending>((value) => typeof value === 'object' && value !== null),
  stepUps: z.int(),
  /** The server as it was when the sign-in began. Its tokens are for that server alone. */
  server: z.object({
    url: z.string().nullable(),
    account: ServerAccount,
    clientId: z.string().nullable(),
  }),
})

/**
 * Ends a sign-in with the answer of the issuer. It counts once, in the session that began it, for ten minutes.
 */
export const finishConnecting = (callback: URL) =>
  verb({
    name: 'connected-account.finish',
    role: 'member',
    scope: null,
    summary: 'Ends a sign-in at an MCP server with the answer of its issuer.',
    input: z.object({}),
    output: z.custom<FinishedSignIn>(),
    audits: ['connected-account.connect'],
    transaction: 'later',
    run: async ({ ctx, change }): Promise<FinishedSignIn> => {
      const request = await takeRequest(ctx, callback.searchParams.get('state'))
      if (!request) return { type: 'foreign' }
      const { serverId, owner, kept } = request
      // Since it began, the person may have lost the role, and the server may lead elsewhere.
      const server = await requireConnectable(ctx, serverId, owner === siteOwner ? 'site' : 'me')
      const { pending, stepUps, server: begun } = Kept.parse(kept)
      requireUnchanged(server, begun)
      try {
        const site = await signInSiteOf(server)
        const found = await finishSignIn(site, guardedDocuments(site), pending, callback)
        const { tokens, issuer } = found
        const { resource, identity } = pending
        const { userId } = ctx.actor
        const by = auditLabel(ctx)
        return await change(async (tx) => {
          const account = { owner, userId, issuer, resource, by, stepUps }
          await storeAccount(tx, server, { ...account, tokens, identity })
          const scopes = tokens.scope ?? ''
          const after = { name: server.name, owner, issuer, scopes }
          const action = 'connected-account.connect' as const
          const output: FinishedSignIn = { type: 'connected', serverId, owner }
          return changed(output, { subject: serverId, action, after })
        })
      } catch (error) {
        if (!(error instanceof SignInError)) throw error
        noteFailure(serverId, error)
        return { type: 'failed', serverId, owner, code: error.code }
      }
    },
  })

function requireUnchanged(server: StoredServer, begun: z.output<typeof Kept>['server']): void {
  const { url, account, clientId } = begun
  if (server.url === url && server.account === account && server.clientId === clientId) return
  throw new ConflictError('The server was changed meanwhile. Connect again.')
}

/** Takes the sign-in that this answer is for; null = there is none of this session and person, or it took too long. */
async function takeRequest({ actor, sessionId }: Ctx, state: string | null) {
  if (state === null || sessionId === undefined) return null
  const { userId } = actor
  const client = unaudited(db(), 'a sign-in that was begun, and counts once')
  const where = { stateHash: hashOf(state), sessionId, userId, expiresAt: { gt: new Date() } }
  const row = await client.accountRequest.findFirst({ where })
  if (!row) return null
  const kept: unknown = JSON.parse(await openSecret(client, row.secretId))
  const { count } = await client.vaultSecret.deleteMany({ where: { id: row.secretId } })
  return count === 1 ? { ...row, kept } : null
}

function hashOf(state: string): string {
  return createHash('sha256').update(state).digest('hex')
}

/** Does work with an issuer. Throws what went wrong in words for people; the words of the issuer are for the log alone. */
async function said<T>(serverId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SignInError)) throw error
    noteFailure(serverId, error)
    throw new AppError('sign-in', 502, error.message)
  }
}

function noteFailure(serverId: string, { code, log: issuerSaid }: SignInError): void {
  log.warn({ source: 'servers', serverId, code, issuerSaid }, 'A sign-in at a server failed.')
}

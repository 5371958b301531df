import 'server-only'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { added, sorted } from '@/lib/domains/api-keys/shared/limit-names'
import { changed, unchanged, verb } from '@/lib/edge/verb'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { allowNonPolicyWrite, db, type Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import {
  type ApiScope,
  limitedWords,
  scopesBeyondLimits,
  scopesOf,
  sensitiveAmong,
} from '@/lib/protocol/api-scope'
import { isUnlimited, type KeyLimits, noLimits } from '@/lib/protocol/key-limits'
import type { Actor, Role, ToolMeta } from '@/lib/protocol/tool'
import { unknownName } from '@/lib/words/nearest-name'
import { CreateApiKey, LimitApiKey } from './schemas'
import { hashApiKey, limitsOf } from './verify-api-key'

const dayMs = 86_400_000

type Tool = Pick<ToolMeta, 'name' | 'group' | 'requiresAdmin'>
/** The tools of this installation, and the condition on configurations that a person may use. */
type Parts = {
  installedTools: (client: Tx) => Promise<readonly Tool[]>
  usableBy: (owner: Actor) => Prisma.ConfigurationWhereInput
}

/** Returns the verbs that decide what an API key may do. */
export function apiKeyVerbs(parts: Parts) {
  return {
    createApiKey: creatingVerb(parts),
    limitApiKey: limitingVerb(parts),
    limitChoices: (ctx: Ctx) => limitChoices(ctx, parts),
  }
}

/**
 * Creates a key. `token` is shown only this once. Throws ValidationError for scopes that the owner's role does not
 * have or limits forbid, NotFoundError when the owner is not an active user.
 */
function creatingVerb(parts: Parts) {
  return verb({
    name: 'api-key.create',
    role: 'member',
    scope: null,
    summary: 'Creates an API key for oneself, or as an admin for any active user.',
    input: CreateApiKey,
    output: z.object({
      id: z.string(),
      token: z.string(),
      prefix: z.string(),
      expiresAt: z.string().nullable(),
    }),
    needsReauthentication: () => true,
    run: async ({ tx, ctx, actor }, { name, scopes, expiresInDays, userId, ...wishes }) => {
      const owner = userId ?? actor.userId
      if (owner !== actor.userId) requireRole(ctx, 'admin')
      const token = `tg_${randomBytes(32).toString('base64url')}`
      const prefix = token.slice(0, 9)
      const expiresAt = expiresInDays === null ? null : new Date(Date.now() + expiresInDays * dayMs)
      // A shared lock. A transaction that disables or demotes this account waits for it, and then limits this key, too.
      const [user] = await tx.$queryRaw<{ email: string; role: Role }[]>`
        SELECT email, role FROM users
        WHERE id = ${owner}::uuid AND "disabledAt" IS NULL AND "deletedAt" IS NULL FOR SHARE`
      if (!user) throw new NotFoundError('The user')
      requireScopesOf(user, scopes)
      const limits = await limitsFrom(
        tx,
        parts,
        { owner: { userId: owner, ...user }, before: noLimits },
        wishes,
      )
      const isLimited = !isUnlimited(limits)
      if (isLimited) requireWithinLimits(scopes)
      const { id } = await tx.apiKey.create({
        data: {
          userId: owner,
          name,
          scopes,
          prefix,
          expiresAt,
          tokenHash: hashApiKey(token),
          ...(isLimited && { limits }),
        },
      })
      const sensitiveScopes = sensitiveAmong(scopes)
      const after = {
        name,
        scopes,
        prefix,
        expiresAt,
        owner: user.email,
        ...(sensitiveScopes.length > 0 && { sensitiveScopes }),
        ...(isLimited && (await named(tx, limits))),
      }
      const made = { id, token, prefix, expiresAt: expiresAt?.toISOString() ?? null }
      return changed(made, { subject: id, after })
    },
  })
}

function requireScopesOf({ email, role }: { email: string; role: Role }, scopes: ApiScope[]): void {
  const beyond = scopes.filter((scope) => !scopesOf(role).includes(scope))
  if (beyond.length === 0) return
  const names = beyond.join(', ')
  throw new ValidationError({
    scopes: `Only API keys of admins can have the scopes ${names}, and ${email} is a ${role}. Pick other scopes.`,
  })
}

function requireWithinLimits(scopes: ApiScope[]): void {
  const beyond = scopesBeyondLimits(scopes)
  if (beyond.length === 0) return
  throw new ValidationError({
    scopes: `A limited key cannot have the scopes ${beyond.join(', ')}: it can ${limitedWords}. Pick other scopes, or no limits.`,
  })
}

/**
 * Limits a key from the next call and model request on: a run of the key whose configuration it may not use any more ends, and
 * what is given counts at once. It throws ForbiddenError for a key that would change itself, or that is limited.
 */
function limitingVerb(parts: Parts) {
  return verb({
    name: 'api-key.limit',
    mayBreakCases: true,
    role: 'admin',
    scope: 'api-keys:write',
    summary:
      'Limits an API key to tools and configurations, from the next call of its runs on; what is left out stays.',
    reason: 'optional',
    input: LimitApiKey,
    needsReauthentication: () => true,
    transaction: changePolicy,
    run: async ({ tx, ctx }, { id: idOrName, ...wishes }) => {
      const id = parseId(idOrName, 'The API key')
      refuseKeys(ctx, id)
      const key = await tx.apiKey.findUnique({ where: { id }, include: { user: true } })
      if (!key) throw new NotFoundError('The API key')
      if (key.revokedAt) throw new ConflictError('This API key was revoked.')
      const { id: userId, email, role } = key.user
      const owner: Actor = { userId, email, role }
      const before = limitsOf(key)
      const after = await limitsFrom(tx, parts, { owner, before }, wishes)
      if (JSON.stringify(after) === JSON.stringify(before)) return unchanged(undefined)
      const limits = isUnlimited(after) ? Prisma.DbNull : after
      await tx.apiKey.update({ where: { id }, data: { limits } })
      const { name, prefix } = key
      const audited = async (limits: KeyLimits) => ({ name, prefix, ...(await named(tx, limits)) })
      return changed(undefined, {
        subject: id,
        before: await audited(before),
        after: await audited(after),
      })
    },
  })
}

/** A restored installation may be a copy of one that still works, so an admin decides for each key. */
export const switchOnApiKey = verb({
  name: 'api-key.switch-on',
  role: 'admin',
  scope: null,
  summary: 'Switches on an API key that is off since the installation was restored from a backup.',
  reason: 'optional',
  input: z.object({ keyId: z.string().max(100) }),
  needsReauthentication: () => true,
  run: async ({ tx }, { keyId }) => {
    const id = parseId(keyId, 'The API key')
    const key = await tx.apiKey.findUnique({ where: { id } })
    if (!key) throw new NotFoundError('The API key')
    if (key.revokedAt) throw new ConflictError('This API key was revoked.')
    const { count } = await allowNonPolicyWrite(tx, 'which keys open doors').apiKey.updateMany({
      where: { id, NOT: { pausedAt: null } },
      data: { pausedAt: null },
    })
    if (count === 0) return unchanged(undefined)
    const { name, prefix, pausedAt } = key
    return changed(undefined, { subject: id, before: { name, prefix, pausedAt } })
  },
})

/** Owner and limits of the key. */
type Limited = { owner: Actor; before: KeyLimits }

/** Returns the limits that a key of this owner gets; what `wishes` leave out stays. Throws ValidationError. */
async function limitsFrom(
  tx: Tx,
  { installedTools, usableBy }: Parts,
  { owner, before }: Limited,
  { configurations, ...wishes }: Partial<KeyLimits>,
): Promise<KeyLimits> {
  const tools = await installedTools(tx)
  const { tools: names = before.tools, toolGroups = before.toolGroups } = wishes
  requireTools(tools, owner, added(names, before.tools))
  requireGroups(tools, owner, added(toolGroups, before.toolGroups))
  const ids =
    configurations && (await idsOf(tx, usableBy(owner), { owner, before }, configurations))
  return {
    tools: sorted(names),
    toolGroups: sorted(toolGroups),
    configurations: sorted(ids === undefined ? before.configurations : ids),
  }
}

/** Returns what an admin can limit keys to: groups of tools, and configurations by name. */
async function limitChoices(ctx: Ctx, { installedTools }: Parts) {
  requireRole(ctx, 'admin')
  const tools = await installedTools(db())
  const configurations = await db().configuration.findMany({
    select: { id: true, name: true },
    orderBy: { name: 'asc' },
  })
  return { toolGroups: [...new Set(tools.map(({ group }) => group))].sort(), configurations }
}

function refuseKeys({ apiKeyId, keyLimits }: Ctx, id: string): void {
  if (apiKeyId === id) throw new ForbiddenError('An API key cannot change its own limits.')
  if (keyLimits && !isUnlimited(keyLimits)) {
    throw new ForbiddenError('An API key that is limited cannot change the limits of API keys.')
  }
}

function requireTools(tools: readonly Tool[], owner: Actor, names: string[]): void {
  for (const name of names) {
    const tool = tools.find((each) => each.name === name)
    const known = tools.map((each) => each.name)
    if (!tool) throw new ValidationError({ tools: unknownName('tool', name, known) })
    if (mayUse(owner, tool)) continue
    throw new ValidationError({
      tools: `Only admins may use ${name}, and ${owner.email}, who owns the key, is a member.`,
    })
  }
}

function requireGroups(tools: readonly Tool[], owner: Actor, groups: string[]): void {
  for (const group of groups) {
    const inIt = tools.filter((each) => each.group === group)
    const known = new Set(tools.map((each) => each.group))
    if (inIt.length === 0)
      throw new ValidationError({ toolGroups: unknownName('tool group', group, known) })
    if (inIt.some((tool) => mayUse(owner, tool))) continue
    throw new ValidationError({
      toolGroups: `Only admins may use tools of the group ${group}, and ${owner.email}, who owns the key, is a member.`,
    })
  }
}

function mayUse({ role }: Actor, { requiresAdmin }: Tool): boolean {
  return role === 'admin' || !requiresAdmin
}

/** Returns the ids of configurations that the owner of the key may use; those that it had already stay. */
async function idsOf(
  tx: Tx,
  usable: Prisma.ConfigurationWhereInput,
  { owner, before }: Limited,
  request: readonly string[],
): Promise<string[]> {
  const known = await tx.configuration.findMany({
    where: { OR: [{ AND: usable }, { id: { in: before.configurations ?? [] } }] },
    select: { id: true, identifier: true },
  })
  return request.map((name) => {
    const found = known.find(({ id, identifier }) => id === name || identifier === name)
    if (found) return found.id
    throw new ValidationError({
      configurations: `There is no configuration "${name}" that ${owner.email}, who owns the key, may use.`,
    })
  })
}

/** Returns limits as the audit shows them: configurations by name. */
async function named(tx: Tx, { configurations, ...tools }: KeyLimits) {
  const rows = await tx.configuration.findMany({
    where: { id: { in: configurations ?? [] } },
    select: { name: true },
    orderBy: { name: 'asc' },
  })
  return { ...tools, configurations: configurations && rows.map(({ name }) => name) }
}

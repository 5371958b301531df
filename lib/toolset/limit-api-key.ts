import 'server-only'
import { LimitApiKey } from '@/lib/domains/api-keys/schemas'
import { limitsOf } from '@/lib/domains/api-keys/verify-api-key'
import { usableBy } from '@/lib/domains/configurations/usable'
import type { ToolDefinition } from '@/lib/engines/tools/define-tool'
import { Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ConflictError, ForbiddenError, NotFoundError, ValidationError } from '@/lib/kernel/errors'
import { parseId } from '@/lib/kernel/parse-id'
import { changePolicy } from '@/lib/kernel/policy-lock'
import { changed, unchanged, verb } from '@/lib/kernel/verb'
import { isUnlimited, type KeyLimits } from '@/lib/protocol/key-limits'
import type { Actor } from '@/lib/protocol/tool'
import { installedTools } from './installed-tools'
import { unknown } from './known-names'

/**
 * From the next call and model request on: a run of the key whose configuration it may not use any more ends, and what
 * is given counts at once. It throws ForbiddenError for a key that would change itself, or that is limited.
 */
export const limitApiKey = verb({
  name: 'api-key.limit',
  role: 'admin',
  scope: 'api-keys:write',
  summary:
    'Limits an API key to tools and configurations, from the next call of its runs on; what is left out stays.',
  reason: 'optional',
  input: LimitApiKey,
  needsProof: () => true,
  transaction: changePolicy,
  run: async ({ tx, ctx }, { id: asked, ...wishes }) => {
    const id = parseId(asked, 'The API key')
    refuseKeys(ctx, id)
    const key = await tx.apiKey.findUnique({ where: { id }, include: { user: true } })
    if (!key) throw new NotFoundError('The API key')
    if (key.revokedAt) throw new ConflictError('This API key was revoked.')
    const { id: userId, email, role } = key.user
    const owner: Actor = { userId, email, role }
    const before = limitsOf(key)
    const tools = await installedTools(tx)
    const { tools: names = before.tools, toolGroups = before.toolGroups } = wishes
    requireTools(tools, owner, added(names, before.tools))
    requireGroups(tools, owner, added(toolGroups, before.toolGroups))
    const { configurations } = wishes
    const ids = configurations && (await idsOf(tx, owner, configurations, before))
    const after: KeyLimits = {
      tools: sorted(names),
      toolGroups: sorted(toolGroups),
      configurations: sorted(ids === undefined ? before.configurations : ids),
    }
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

/** Returns what an admin can limit keys to: groups of tools, and configurations by name. */
export async function limitChoices(ctx: Ctx) {
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

/** Returns the names that were not there before: those of tools that are gone may stay. */
function added(now: readonly string[] | null, before: readonly string[] | null): string[] {
  return (now ?? []).filter((name) => !before?.includes(name))
}

function sorted(names: readonly string[] | null): string[] | null {
  return names && [...new Set(names)].sort()
}

function requireTools(tools: readonly ToolDefinition[], owner: Actor, names: string[]): void {
  for (const name of names) {
    const tool = tools.find((each) => each.name === name)
    const known = tools.map((each) => each.name)
    if (!tool) throw new ValidationError({ tools: unknown('tool', name, known) })
    if (mayUse(owner, tool)) continue
    throw new ValidationError({
      tools: `Only admins may use ${name}, and ${owner.email}, who owns the key, is a member.`,
    })
  }
}

function requireGroups(tools: readonly ToolDefinition[], owner: Actor, groups: string[]): void {
  for (const group of groups) {
    const inIt = tools.filter((each) => each.group === group)
    const known = new Set(tools.map((each) => each.group))
    if (inIt.length === 0)
      throw new ValidationError({ toolGroups: unknown('tool group', group, known) })
    if (inIt.some((tool) => mayUse(owner, tool))) continue
    throw new ValidationError({
      toolGroups: `Only admins may use tools of the group ${group}, and ${owner.email}, who owns the key, is a member.`,
    })
  }
}

function mayUse({ role }: Actor, { requiresAdmin }: ToolDefinition): boolean {
  return role === 'admin' || !requiresAdmin
}

/** Returns the ids of configurations that the owner of the key may use; those that it had already stay. */
async function idsOf(
  tx: Tx,
  owner: Actor,
  asked: readonly string[],
  before: KeyLimits,
): Promise<string[]> {
  const known = await tx.configuration.findMany({
    where: { OR: [{ AND: usableBy(owner) }, { id: { in: before.configurations ?? [] } }] },
    select: { id: true, identifier: true },
  })
  return asked.map((name) => {
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

import { Prisma } from '@/lib/generated/prisma/client'
import type { Ctx } from '@/lib/kernel/context'
import { isUnlimited } from '@/lib/protocol/key-limits'
import type { Role } from '@/lib/protocol/tool'

/** Returns whether the caller is a key that is limited to some tools or configurations. */
export function isLimitedKey({ keyLimits }: Ctx): boolean {
  return keyLimits !== undefined && !isUnlimited(keyLimits)
}

/** Returns the role that the caller has where admins are not limited: a limited key of an admin loosens nothing. */
export function roleWithinKey(ctx: Ctx): Role {
  return isLimitedKey(ctx) ? 'member' : ctx.actor.role
}

/**
 * Returns the condition on the runs that lie within the limits of the caller's key; without limits, all (SPEC A7). A run may call
 * any tool that its starter may, so a key that is limited to tools sees those that it started itself.
 */
export function runsWithinKey({ apiKeyId, keyLimits }: Ctx): Prisma.RunWhereInput {
  const { configurations = null, tools = null, toolGroups = null } = keyLimits ?? {}
  return {
    ...(configurations && { configurationId: { in: configurations } }),
    // Without an id, no run fits.
    ...((tools ?? toolGroups) && { apiKeyId: { in: apiKeyId ? [apiKeyId] : [] } }),
  }
}

/** Returns `runsWithinKey` for the table `runs`, as it is called in the statement. Null in a column counts as beyond. */
export function runsWithinKeySql({ apiKeyId, keyLimits }: Ctx, runs: string): Prisma.Sql {
  const { configurations = null, tools = null, toolGroups = null } = keyLimits ?? {}
  const column = (name: string) => Prisma.raw(`${runs}."${name}"`)
  const parts = [
    Prisma.sql`true`,
    ...(configurations
      ? [Prisma.sql`${column('configurationId')} = ANY (${configurations}::uuid[])`]
      : []),
    ...(tools || toolGroups ? [Prisma.sql`${column('apiKeyId')} = ${apiKeyId ?? null}::uuid`] : []),
  ]
  return Prisma.sql`((${Prisma.join(parts, ' AND ')}) IS TRUE)`
}

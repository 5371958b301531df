import type { Prisma } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'

/** Configurations this person may use now: admins all enabled ones, members those of their groups (SPEC A1). */
export function visibleConfigurations(ctx: Ctx): Prisma.ConfigurationWhereInput {
  const usable: Prisma.ConfigurationWhereInput = {
    enabled: true,
    model: { enabled: true, connection: { enabled: true } },
  }
  if (ctx.actor.role === 'admin') return usable
  const { userId } = ctx.actor
  return { ...usable, groups: { some: { group: { members: { some: { userId } } } } } }
}

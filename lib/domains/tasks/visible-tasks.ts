import type { Prisma } from '../../generated/prisma/client'
import type { Ctx } from '../../kernel/context'

/**
 * Tasks this person may run now: those that are on and have no configuration, or one of `usable`, which says what they
 * may run with. Admins may run every task that is on, with another configuration where its own cannot be used.
 */
export function visibleTasks(
  ctx: Ctx,
  usable: Prisma.ConfigurationWhereInput,
): Prisma.TaskWhereInput {
  if (ctx.actor.role === 'admin') return { enabled: true }
  return { enabled: true, OR: [{ configurationId: null }, { configuration: usable }] }
}

import type { Ctx } from '../../kernel/context'
import { listSoleLimits } from './list-sole-limits'

/**
 * `limitGone` names where no skill lists tools any more (SPEC G-S): configurations by their identifier, tasks as
 * "task IDENTIFIER".
 */
export type SkillChange = { changed: boolean; limitGone: string[] }

/** Changes something of a skill and tells where that took the last limit away. Admins only. */
export async function limitsGone(
  ctx: Ctx,
  skillId: string,
  change: () => Promise<boolean>,
): Promise<SkillChange> {
  const before = await listSoleLimits(ctx, skillId)
  const changed = await change()
  const kept = new Set((await listSoleLimits(ctx, skillId)).map(({ id }) => id))
  const gone = before.filter(({ id }) => !kept.has(id))
  const limitGone = gone.map(({ type, identifier }) =>
    type === 'task' ? `task ${identifier}` : identifier,
  )
  return { changed, limitGone }
}

import type { Ctx } from '../context'
import { listSoleLimits } from './list-sole-limits'

/** `limitGone` are the identifiers of configurations in which no skill lists tools any more (SPEC G-S). */
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
  return { changed, limitGone: gone.map(({ identifier }) => identifier) }
}

import { findSkill } from '../domains/skills/find-skill'
import type { Ctx } from '../kernel/context'

type Named = { name: string; enabled: boolean }

/** Skills that a file names, by id, in its order. NotFoundError when one is not here. Admins only. */
export async function findSkills(
  ctx: Ctx,
  named: readonly Named[],
): Promise<{ skillId: string; enabled: boolean }[]> {
  const found: { skillId: string; enabled: boolean }[] = []
  for (const { name, enabled } of named) {
    found.push({ skillId: (await findSkill(ctx, name)).id, enabled })
  }
  return found
}

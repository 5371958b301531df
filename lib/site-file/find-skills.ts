import { findSkill } from '../domains/skills/reads'
import type { Ctx } from '../kernel/context'

type Named = { name: string; enabled: boolean }

/**
 * Returns the ids of the skills that a file names, in its order. NotFoundError when one does not exist. Admins only.
 */
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

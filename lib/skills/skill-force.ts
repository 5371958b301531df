import type { Skill } from '../generated/prisma/client'

/** What a skill does where it is enabled: all of it counts, only its accepted list still limits (ADR 010), or nothing. */
export type SkillForce = 'counts' | 'limits' | 'nothing'

export function skillForce({
  enabled,
  orphanedAt,
  pendingVersion,
}: Pick<Skill, 'enabled' | 'orphanedAt' | 'pendingVersion'>): SkillForce {
  if (!enabled) return 'nothing'
  return orphanedAt === null && pendingVersion === null ? 'counts' : 'limits'
}

/** The same for one place that has its own switch. */
export function countsHere(
  enabledHere: boolean,
  force: SkillForce,
): { effective: boolean; heldBack: boolean } {
  return {
    effective: enabledHere && force === 'counts',
    heldBack: enabledHere && force === 'limits',
  }
}

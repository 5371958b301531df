/** The effect of an enabled skill: all of it, only its accepted list still limits (ADR 010), or none. */
export type SkillForce = 'counts' | 'limits' | 'nothing'

export function skillForce({
  enabled,
  orphanedAt,
  pendingVersion,
}: {
  enabled: boolean
  orphanedAt: Date | null
  pendingVersion: number | null
}): SkillForce {
  if (!enabled) return 'nothing'
  return orphanedAt === null && pendingVersion === null ? 'counts' : 'limits'
}

/** Returns the effect of a skill where it is attached, which has a switch of its own. */
export function countsHere(
  enabledHere: boolean,
  force: SkillForce,
): { effective: boolean; heldBack: boolean } {
  return {
    effective: enabledHere && force === 'counts',
    heldBack: enabledHere && force === 'limits',
  }
}

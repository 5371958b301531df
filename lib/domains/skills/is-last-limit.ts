import type { AttachedSkill } from './list-configuration-skills'

type Limit = Pick<AttachedSkill, 'skillId' | 'effective' | 'heldBack' | 'allowedTools'>

/** Whether of a configuration's skills this one alone limits tools: without it nothing narrows (SPEC G-S, ADR 010). */
export function isLastLimit(skills: readonly Limit[], skillId: string): boolean {
  const limits = skills.filter(
    ({ effective, heldBack, allowedTools }) => (effective || heldBack) && allowedTools !== null,
  )
  return limits.length === 1 && limits[0]?.skillId === skillId
}

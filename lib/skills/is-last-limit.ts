import type { AttachedSkill } from './list-configuration-skills'

type Limit = Pick<AttachedSkill, 'skillId' | 'effective' | 'allowedTools'>

/** Whether of a configuration's skills this one alone counts and lists tools: without it nothing narrows (SPEC G-S). */
export function isLastLimit(skills: readonly Limit[], skillId: string): boolean {
  const limits = skills.filter(({ effective, allowedTools }) => effective && allowedTools !== null)
  return limits.length === 1 && limits[0]?.skillId === skillId
}

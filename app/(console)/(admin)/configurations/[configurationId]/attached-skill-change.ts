import type { AttachedSkill, AttachedSkillChange } from '@/components/nouns/attached-skill'
import { isLastLimit } from '@/lib/domains/skills/shape'
import type { ActionResult } from '@/lib/next/action'
import { addSkillHere, moveSkillHere, removeSkillHere, switchSkillHere } from './skill-actions'

/** A change of the list that is sent to the server. */
export type SentChange = AttachedSkillChange | { type: 'add'; skillId: string }

/** Returns true when the change removes the last skill that limits the tools (SPEC G-S). */
export function takesLastLimit(skills: AttachedSkill[], change: AttachedSkillChange): boolean {
  const isTaken = change.type === 'remove' || (change.type === 'switch' && !change.enabled)
  return isTaken && isLastLimit(skills, change.skillId)
}

export function nameOf(skillId: string, skills: AttachedSkill[]): string {
  return skills.find((skill) => skill.skillId === skillId)?.name ?? 'the skill'
}

/** Sends a change. `confirmed`: whether somebody agreed that no tool remains. */
export function sendChange(
  configurationId: string,
  change: SentChange,
  confirmed = false,
): Promise<ActionResult<unknown>> {
  const { skillId } = change
  switch (change.type) {
    case 'add':
      return addSkillHere({ configurationId, skillId, confirmed })
    case 'switch':
      return switchSkillHere({ configurationId, skillId, enabled: change.enabled, confirmed })
    case 'move':
      return moveSkillHere({ configurationId, skillId, direction: change.direction })
    case 'remove':
      return removeSkillHere({ configurationId, skillId })
    default:
      return change satisfies never
  }
}

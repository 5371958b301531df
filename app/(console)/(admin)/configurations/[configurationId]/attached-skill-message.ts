import type { AttachedSkill, AttachedSkillChange } from '@/components/nouns/attached-skill'

type Order = { skillId: string; enabled: boolean }[]

/** The change that undoes another: its opposite, or the earlier list when a skill was removed. */
export type SkillUndo =
  | { type: 'change'; change: AttachedSkillChange }
  | { type: 'list'; skills: Order }

/** Returns the message about a change and how to undo it. `before`: the list before the change. */
export function attachedSkillMessage(
  change: AttachedSkillChange,
  before: readonly AttachedSkill[],
): { title: string; undo: SkillUndo } {
  const { skillId } = change
  const name = before.find((skill) => skill.skillId === skillId)?.name ?? 'The skill'
  switch (change.type) {
    case 'switch': {
      const { enabled } = change
      const undo = { ...change, enabled: !enabled }
      return {
        title: `Switched ${enabled ? 'on' : 'off'} ${name} here`,
        undo: { type: 'change', change: undo },
      }
    }
    case 'move': {
      const isUp = change.direction === 'up'
      const undo = { ...change, direction: isUp ? 'down' : 'up' } as const
      return {
        title: `Moved ${name} ${isUp ? 'up' : 'down'}`,
        undo: { type: 'change', change: undo },
      }
    }
    case 'remove': {
      const skills = before.map((each) => ({ skillId: each.skillId, enabled: each.enabledHere }))
      return { title: `Removed ${name}`, undo: { type: 'list', skills } }
    }
    default:
      return change satisfies never
  }
}

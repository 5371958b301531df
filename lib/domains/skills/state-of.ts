import type { Skill } from '../../generated/prisma/client'
import type { SkillState } from './schemas'

/** What a skill's row says in one word; the worst first. */
export function stateOf({
  enabled,
  orphanedAt,
  pendingVersion,
}: Pick<Skill, 'enabled' | 'orphanedAt' | 'pendingVersion'>): SkillState {
  if (orphanedAt) return 'missing'
  if (pendingVersion !== null) return 'changed'
  return enabled ? 'on' : 'off'
}

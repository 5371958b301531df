import type { Tx } from '../db'
import { NotFoundError } from '../errors'
import type { Skill } from '../generated/prisma/client'
import { parseId } from '../parse-id'

/** NotFoundError when there is no such skill. */
export async function requireSkill(tx: Tx, skillId: string): Promise<Skill> {
  const skill = await tx.skill.findUnique({ where: { id: parseId(skillId, 'The skill') } })
  if (!skill) throw new NotFoundError('The skill')
  return skill
}

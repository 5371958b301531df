import type { Skill } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { NotFoundError } from '../../kernel/errors'
import { parseId } from '../../kernel/parse-id'

/** NotFoundError when there is no such skill. */
export async function requireSkill(tx: Tx, skillId: string): Promise<Skill> {
  const skill = await tx.skill.findUnique({ where: { id: parseId(skillId, 'The skill') } })
  if (!skill) throw new NotFoundError('The skill')
  return skill
}
